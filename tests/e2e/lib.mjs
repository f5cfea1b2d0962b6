// What the end-to-end tests share: the official clients over stdio and HTTP, a client that sends raw
// lines, and the official schemas. Test files import from here and never from the packages, which lie
// outside of the source tree.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { OfficialSchema } from '../support/wire/official_schema.mjs';

export { realDocuments } from '../support/wire/real_documents.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = createRequire(path.join(needed('PHASEGATE_E2E_MODULES'), 'package.json'));
const sdk1 = modules('@modelcontextprotocol/sdk/client/index.js');
const sdk1Types = modules('@modelcontextprotocol/sdk/types.js');
const sdk1Http = modules('@modelcontextprotocol/sdk/client/streamableHttp.js');
const sdk1Stdio = modules('@modelcontextprotocol/sdk/client/stdio.js');
const client2 = modules('@modelcontextprotocol/client');
const client2Stdio = modules('@modelcontextprotocol/client/stdio');

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests through tests/e2e/run.sh or ctest`);
  return path.resolve(value);
}

// --- What is started -----------------------------------------------------------------------------

/** The protocol with three tools without meaning. */
export const echoServer = () => ({ command: needed('PHASEGATE_ECHO_SERVER'), args: [] });

/** The program itself. */
export const phasegate = (...args) => ({ command: needed('PHASEGATE_BINARY'), args });

const steps = new WeakMap();

/**
 * Has `step` done when the test ends, whatever came last first: node itself keeps the order in which
 * they came, and would remove a folder before the process that writes into it is gone.
 */
export function atEnd(t, step) {
  if (!steps.has(t)) {
    steps.set(t, []);
    t.after(async () => {
      let failure;
      for (const last of steps.get(t).reverse()) {
        try {
          await last();
        } catch (error) {
          failure ??= error;
        }
      }
      if (failure) throw failure;
    });
  }
  steps.get(t).push(step);
}

/** A folder of its own for one test, removed when the test ends. */
export function temporaryFolder(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-e2e-'));
  atEnd(t, () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// --- The official clients ------------------------------------------------------------------------

/** Each official client and the revision that it ends up with. */
export const clientKinds = [
  { kind: 'sdk-1', revision: '2025-11-25' },
  { kind: 'client-2', revision: '2025-11-25' },
  { kind: 'client-2-auto', revision: '2026-07-28' },
  { kind: 'client-2-pin', revision: '2026-07-28' },
];
const negotiation = { 'client-2-auto': 'auto', 'client-2-pin': { pin: '2026-07-28' } };

function makeClient(kind, elicit) {
  const info = { name: `e2e ${kind}`, version: '1.0.0' };
  const options = { capabilities: elicit ? { elicitation: { form: {} } } : {} };
  if (kind === 'sdk-1') {
    const client = new sdk1.Client(info, options);
    if (elicit) client.setRequestHandler(sdk1Types.ElicitRequestSchema, ({ params }) => elicit(params));
    return client;
  }
  if (negotiation[kind]) options.versionNegotiation = { mode: negotiation[kind] };
  const client = new client2.Client(info, options);
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params));
  return client;
}

function makeTransport(kind, server) {
  if (server.url) {
    const { StreamableHTTPClientTransport } = kind === 'sdk-1' ? sdk1Http : client2;
    return new StreamableHTTPClientTransport(new URL(server.url));
  }
  const { StdioClientTransport } = kind === 'sdk-1' ? sdk1Stdio : client2Stdio;
  const { command, args, cwd } = server;
  return new StdioClientTransport({ command, args, cwd, env: { ...process.env, ...server.env }, stderr: 'pipe' });
}

/**
 * Connects the official client `kind` to `server`: {command, args, env?, cwd?}, which it starts, or
 * {url}. With `wire` (a file name) every line in both directions goes through a tee and is recorded
 * there for readWire; `pid` is then the tee's. With `elicit` the client can show forms: it is given
 * what is asked and gives the answer. The session is closed when the test ends.
 */
export async function connect(t, kind, server, { wire, elicit } = {}) {
  const transport = makeTransport(kind, wire ? teed(server, wire) : server);
  const session = new Session(kind, makeClient(kind, elicit), transport);
  atEnd(t, () => session.close());
  await session.client.connect(transport);
  return session;
}

export class Session {
  constructor(kind, client, transport) {
    this.kind = kind;
    this.client = client;
    this.transport = transport;
    this.stderr = '';
    transport.stderr?.on('data', (data) => (this.stderr += data));
  }

  /** The process that the client talks to. */
  get pid() {
    return this.transport.pid;
  }

  /** All tools, as the client sees them. */
  async tools() {
    return (await this.client.listTools()).tools;
  }

  /**
   * Calls a tool: its text, its structured content and whether it refused. A protocol error is
   * thrown, with `code`.
   */
  async call(name, args = {}) {
    const result = await this.client.callTool({ name, arguments: args });
    const texts = result.content.filter((block) => block.type === 'text');
    return {
      text: texts.map((block) => block.text).join('\n'),
      structured: result.structuredContent,
      isError: result.isError === true,
    };
  }

  /**
   * Has `updated` called with the URI whenever the server says that the resource `uri` has changed:
   * by a subscription, or by a listen stream where the revision has those.
   */
  async watch(uri, updated) {
    const taker = ({ params }) => updated(params.uri);
    if (this.kind === 'sdk-1') this.client.setNotificationHandler(sdk1Types.ResourceUpdatedNotificationSchema, taker);
    else this.client.setNotificationHandler('notifications/resources/updated', taker);
    if (negotiation[this.kind]) await this.client.listen({ resourceSubscriptions: [uri] });
    else await this.client.subscribeResource({ uri });
  }

  /** Ends the connection as the client does it. */
  async close() {
    await this.client.close();
  }

  /** Ends the server in the middle of whatever it does; resolves when it is gone. */
  async kill9() {
    const closed = new Promise((resolve) => (this.client.onclose = resolve));
    process.kill(this.pid, 'SIGKILL');
    await closed;
  }
}

// --- The wire ------------------------------------------------------------------------------------

/** The same server behind a tee, which records every line of both in `log` for readWire. */
export const teed = (server, log) => ({
  ...server,
  command: process.execPath,
  args: [path.join(here, 'tee.mjs'), log, server.command, ...server.args],
});

/** What a tee recorded: [{pid, from: 'client'|'server'|'end', line?, code?, signal?}]. */
export function readWire(log) {
  return fs.readFileSync(log, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
}

/**
 * Pairs what the server said with the requests that it answered, per process:
 * [{message, request?}]. Fails on a line of the server's that is not JSON.
 */
export function serverMessages(wire) {
  const requests = new Map();
  const messages = [];
  for (const { pid, from, line } of wire) {
    if (from === 'end') continue;
    const message = JSON.parse(line);
    const key = `${pid} ${JSON.stringify(message.id)}`;
    // Both sides count their requests, so an id alone does not say whose it is.
    if (from === 'client' && message.method) requests.set(key, message);
    else if (from === 'server') messages.push({ message, request: message.method ? undefined : requests.get(key) });
  }
  return messages;
}

/** A client that sends what it is told to, line by line. */
export class RawClient {
  #lines = [];
  #waiting = [];
  #id = 0;

  constructor(t, server) {
    this.child = spawn(server.command, server.args, {
      cwd: server.cwd,
      env: { ...process.env, ...server.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child.stdin.on('error', () => {});
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const next = this.#waiting.shift();
      if (next) next(line);
      else this.#lines.push(line);
    });
    atEnd(t, () => {
      this.child.kill('SIGKILL');
      return this.exited;
    });
  }

  get pid() {
    return this.child.pid;
  }

  /** Sends a line as it is, or a message as one line. */
  send(message) {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The next message from the server; rejects if the server ends first. */
  async next() {
    if (this.#lines.length > 0) return JSON.parse(this.#lines.shift());
    const line = new Promise((resolve) => this.#waiting.push(resolve));
    const ended = this.exited.then(() => Promise.reject(new Error('the server ended')));
    return JSON.parse(await Promise.race([line, ended]));
  }

  /** Sends a line and waits for the next message. */
  async exchange(message) {
    this.send(message);
    return this.next();
  }

  /** A request with a fresh id; its answer. Notifications may come before it. */
  async request(method, params) {
    let answer = await this.exchange({ jsonrpc: '2.0', id: ++this.#id, method, params });
    while (answer.id === undefined) answer = await this.next();
    assert.equal(answer.id, this.#id);
    return answer;
  }

  /** The handshake of the legacy revisions; the result of `initialize`. */
  async initialize(protocolVersion) {
    const clientInfo = { name: 'e2e raw', version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer.result;
  }

  /** Ends the input and waits: {code, signal}, and whatever was still said. */
  async close() {
    this.child.stdin.end();
    const end = await this.exited;
    return { ...end, rest: this.#lines.map((line) => JSON.parse(line)) };
  }
}

/** The `_meta` of a modern request. */
export const modernMeta = (version = '2026-07-28') => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
});

// --- The official schemas ------------------------------------------------------------------------

/** The checker of a revision, or null where its schema is not at hand; the test is then skipped. */
export const officialSchema = (t, revision) => OfficialSchema.load(t, revision, modules);
