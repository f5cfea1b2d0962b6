// A stand-in for the model's end of an assistant, on the loopback interface. It speaks the Messages
// shape (Claude Code), the Responses shape (Codex) and the generateContent shape (Gemini CLI): whatever
// the assistant asks of its model is answered with the next move of a script. It keeps every word that
// the assistant sends, because that is what a model would have read.
import { once } from 'node:events';
import http from 'node:http';

import { atEnd } from './lib.mjs';

const usageTokens = 1;

/** One shape: which tools are offered, what a call has brought, and how a move is said. */
const messagesShape = {
  handles: (url) => url.startsWith('/v1/messages'),

  // An assistant may give only the names of tools at first, and a tool that gives the rest of them.
  tools(body) {
    const tools = (body.tools ?? []).map(({ name }) => ({ name }));
    if (!tools.some(({ name }) => name === fetchTool)) return tools;
    const named = new Set(JSON.stringify(body.messages).match(/mcp__phasegate__\w+/g));
    for (const name of named) if (!tools.some((tool) => tool.name === name)) tools.push({ name, deferred: true });
    return tools;
  },

  result(body, id) {
    const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const block = blocks.find(({ type, tool_use_id: of }) => type === 'tool_result' && of === id);
    return block && { text: plainText(block.content), isError: block.is_error === true };
  },

  answer(response, body, move) {
    const usage = { input_tokens: usageTokens, output_tokens: usageTokens };
    const head = { id: 'msg_stand_in', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
    const block = move.tool
      ? { type: 'tool_use', id: move.id, name: move.tool.name, input: move.args }
      : { type: 'text', text: move.text };
    const stopReason = move.tool ? 'tool_use' : 'end_turn';
    if (!body.stream) return sendJson(response, { ...head, content: [block], stop_reason: stopReason });
    const begun = move.tool ? { ...block, input: {} } : { ...block, text: '' };
    const delta = move.tool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(move.args) }
      : { type: 'text_delta', text: move.text };
    return sendEvents(response, [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: begun },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  },
};

const responsesShape = {
  handles: (url) => url.startsWith('/v1/responses'),

  // Tools of one server may come together under a namespace, which a call has to repeat.
  tools: (body) => (body.tools ?? []).flatMap((tool) =>
    tool.type === 'namespace' ? tool.tools.map(({ name }) => ({ name, namespace: tool.name })) : { name: tool.name ?? '' }),

  result(body, id) {
    const item = body.input.find(({ type, call_id: of }) => type === 'function_call_output' && of === id);
    return item && { text: plainText(item.output) };
  },

  answer(response, body, move) {
    const item = move.tool
      ? { type: 'function_call', id: `item_${move.id}`, call_id: move.id, ...move.tool, arguments: JSON.stringify(move.args) }
      : { type: 'message', id: 'item_text', role: 'assistant', content: [{ type: 'output_text', text: move.text }] };
    const usage = {
      input_tokens: usageTokens, output_tokens: usageTokens, total_tokens: 2 * usageTokens,
      input_tokens_details: null, output_tokens_details: null,
    };
    return sendEvents(response, [
      { type: 'response.created', response: { id: 'resp_stand_in' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_stand_in', usage } },
    ]);
  },
};

const generateContentShape = {
  handles: (url) => url.startsWith('/v1beta/models/'),

  tools: (body) => (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => ({ name }))),

  // Calls have no id of ours here: what was called last is answered last.
  result(body, id) {
    const parts = body.contents.flatMap((content) => content.parts ?? []).filter((part) => part.functionResponse);
    const part = parts[Number(id.slice(callPrefix.length)) - 1];
    return part && { text: plainText(part.functionResponse.response) };
  },

  answer(response, body, move) {
    const part = move.tool ? { functionCall: { name: move.tool.name, args: move.args } } : { text: move.text };
    const message = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: usageTokens, candidatesTokenCount: usageTokens, totalTokenCount: 2 * usageTokens },
    };
    return /stream/i.test(response.req.url) ? sendEvents(response, [message]) : sendJson(response, message);
  },
};

const shapes = [messagesShape, responsesShape, generateContentShape];
const callPrefix = 'call_';
const fetchTool = 'ToolSearch';

/** The text in a result, however deep the client has wrapped it. */
function plainText(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(plainText).join('\n');
  if (content && typeof content === 'object') return Object.values(content).map(plainText).join('\n');
  return String(content);
}

function sendJson(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendEvents(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/**
 * The model of one run of an assistant. `script` is a generator: it yields `{tool, args}` to have the
 * tool called whose name ends in `tool`, and is resumed with `{text, isError}`, what the model was sent
 * for it; `isError` is undefined where the shape does not say. It yields `hold` to leave the assistant
 * without an answer. What it returns is the model's last word. What it throws fails `played`.
 */
export class ModelStandIn {
  static hold = Symbol('hold');

  /** Every request that was sent for the model to read, as it was sent. */
  sent = [];
  /** Where the assistant wanted to go besides. Nobody is let through. */
  elsewhere = [];
  #script;
  #move;
  #calls = 0;
  #held = deferred();
  #played = deferred();

  /** Listens on a free port of 127.0.0.1 until the test ends. */
  static async begin(t, script) {
    const standIn = new ModelStandIn(script);
    standIn.server = http.createServer((request, response) => standIn.#receive(request, response));
    standIn.server.on('connect', (request, socket) => {
      standIn.elsewhere.push(request.url);
      socket.on('error', () => {});  // an assistant that is killed closes nothing in order
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    standIn.server.listen(0, '127.0.0.1');
    await once(standIn.server, 'listening');
    atEnd(t, () => {
      standIn.server.closeAllConnections();
      standIn.server.close();
    });
    return standIn;
  }

  constructor(script) {
    this.#script = script;
    // Whoever waits gets it; nobody has to.
    this.#held.promise.catch(() => {});
    this.#played.promise.catch(() => {});
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Resolves when the script holds, rejects when it fails. */
  get held() {
    return this.#held.promise;
  }

  /** Resolves when the script has come to its end, rejects when it fails. */
  get played() {
    return this.#played.promise;
  }

  async #receive(request, response) {
    request.setEncoding('utf8');
    let text = '';
    for await (const part of request) text += part;
    const shape = shapes.find(({ handles }) => handles(request.url));
    if (!shape || request.method !== 'POST') {
      this.elsewhere.push(request.url);
      return sendJson(response, { error: { message: 'there is only a model here' } }, 404);
    }
    this.sent.push(text);
    if (/count_?tokens/i.test(request.url)) {
      return sendJson(response, { input_tokens: usageTokens, totalTokens: usageTokens });
    }
    const body = JSON.parse(text);
    // Assistants also ask for titles, summaries and the like; those questions come without our tools.
    const tools = shape.tools(body);
    const ours = tools.some(({ name }) => name.endsWith('start_workflow'));
    const move = ours ? this.#next(shape, body, tools) : { text: 'Nothing to add.' };
    return move === ModelStandIn.hold ? undefined : shape.answer(response, body, move);
  }

  #next(shape, body, tools) {
    try {
      // A request without the result of the last call is the same request again.
      const result = this.#move?.tool && shape.result(body, this.#move.id);
      if (this.#move && !result) return this.#move;
      const deferred = tools.filter((tool) => tool.deferred).map(({ name }) => name);
      this.#move = !this.#move && deferred.length > 0
        ? this.#call({ name: fetchTool }, { query: `select:${deferred.join(',')}`, max_results: deferred.length })
        : this.#say(this.#script.next(result), tools);
    } catch (error) {
      this.#held.reject(error);
      this.#played.reject(error);
      this.#move = { text: 'The script has failed.' };
    }
    return this.#move;
  }

  #say({ done, value }, tools) {
    if (done) {
      this.#held.reject(new Error('the script has ended without holding'));
      this.#played.resolve();
      return { text: value ?? 'Done.' };
    }
    if (value === ModelStandIn.hold) {
      this.#held.resolve();
      return value;
    }
    const tool = tools.find(({ name }) => name.endsWith(value.tool));
    if (!tool) throw new Error(`no tool ${value.tool} among ${tools.map(({ name }) => name).join(', ')}`);
    return this.#call(tool, value.args ?? {});
  }

  #call(tool, args) {
    return { tool, args, id: `${callPrefix}${++this.#calls}` };
  }
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
