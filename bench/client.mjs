// A client that measures: JSON-RPC over a child's standard input and output, one request at a time.
// The clock runs from just before the request is written until the line of its answer is complete;
// parsing is outside of it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const newline = 10;

/** A child that answers each line with a line. */
export class LineProcess {
  #parts = [];
  #waiting = null;
  #ended = null;
  #diverted = null;

  constructor(command, args, options = {}) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (part) => this.#take(part));
    this.exited = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(this.#end(error)));
      this.child.on('close', (code, signal) => resolve(this.#end(new Error(`${command} has ended (${code ?? signal})`))));
    });
  }

  #take(part) {
    if (this.#diverted) return this.#diverted(part);
    this.#parts.push(part);
    // Nobody is asked twice before he has answered, so a line can only end where a part ends.
    if (part[part.length - 1] !== newline || !this.#waiting) return;
    const at = performance.now();
    const { resolve, begun } = this.#waiting;
    this.#waiting = null;
    const line = this.#parts.length === 1 ? part : Buffer.concat(this.#parts);
    this.#parts = [];
    resolve({ us: (at - begun) * 1000, line });
  }

  #end(error) {
    this.#ended ??= error;
    this.#waiting?.reject(this.#ended);
    this.#waiting = null;
  }

  /** Sends `line` (with its newline): {us, line} of the answer. */
  ask(line) {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      this.#waiting = { resolve, reject, begun: performance.now() };
      this.child.stdin.write(line);
    });
  }

  /** Gives what comes to `taker`, until it is null again. */
  divert(taker) {
    this.#diverted = taker;
  }

  tell(line) {
    this.child.stdin.write(line);
  }

  async close() {
    this.child.stdin.end();
    await this.exited;
  }

  /** Kilobytes that are resident now. */
  residentKb() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]);
  }
}

/** An MCP server that was started and greeted. */
export class McpServer {
  #id = 0;

  /** Starts `command` ([program, …arguments]); `startUs` and `toolsUs` are set afterwards. */
  static async start(command, options) {
    const server = new McpServer();
    const begun = performance.now();
    server.lines = new LineProcess(command[0], command.slice(1), options);
    const clientInfo = { name: 'bench', version: '1' };
    await server.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    server.lines.tell('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    server.toolsUs = (await server.request('tools/list', {})).us;
    server.startUs = (performance.now() - begun) * 1000;
    return server;
  }

  async request(method, params) {
    const line = JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params });
    const answer = await this.lines.ask(`${line}\n`);
    const message = JSON.parse(answer.line.toString('utf8'));
    if (message.id !== this.#id) throw new Error(`another answer was expected to ${line}: ${answer.line}`);
    if (message.error) throw new Error(`${method} was refused: ${JSON.stringify(message.error)}`);
    return { us: answer.us, bytes: answer.line.length, result: message.result };
  }

  /** Calls a tool; `refusal` says whether a refusal is what is wanted. */
  async call(name, args = {}, { refusal = false } = {}) {
    const answer = await this.request('tools/call', { name, arguments: args });
    if ((answer.result.isError === true) !== refusal) {
      throw new Error(`${name} ${refusal ? 'was not refused' : 'was refused'}: ${JSON.stringify(answer.result).slice(0, 400)}`);
    }
    return answer;
  }

  close() {
    return this.lines.close();
  }
}

/** The value below which `share` of the values lie. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

/**
 * Measures all `sides` (functions that resolve with microseconds) in the same stretch of time: a block
 * of calls of one, then of the next, again and again, after a warm-up that does not count. Returns a
 * list of microseconds per side.
 */
export async function interleaved(sides, { calls, block, warmup }) {
  const taken = sides.map(() => []);
  for (const side of sides) for (let i = 0; i < warmup; ++i) await side();
  while (taken[0].length < calls) {
    const now = Math.min(block, calls - taken[0].length);
    for (let s = 0; s < sides.length; ++s) {
      for (let i = 0; i < now; ++i) taken[s].push(await sides[s]());
    }
  }
  return taken;
}
