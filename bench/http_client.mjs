// The client over HTTP, and both clients with several requests in flight. Raw sockets, because a
// client's own work would hide the server's: the head of a request is made once, and of an answer
// only its length is read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { createInterface } from 'node:readline';

const revision = '2026-07-28';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};
const endOfHead = Buffer.from('\r\n\r\n');
const newline = 10;
/** Servers close a connection after many requests; ours after 10,000. */
const askedMost = 4000;

/** A modern request as bytes. */
function requestBytes(port, id, method, params, name) {
  const body = Buffer.from(JSON.stringify({ id, jsonrpc: '2.0', method, params: { ...params, _meta: envelope } }));
  const head = [
    'POST /mcp HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Type: application/json',
    'Accept: application/json, text/event-stream', `MCP-Protocol-Version: ${revision}`, `Mcp-Method: ${method}`,
    ...(name ? [`Mcp-Name: ${name}`] : []), `Content-Length: ${body.length}`, '', '',
  ];
  return Buffer.concat([Buffer.from(head.join('\r\n')), body]);
}

/** The body of a whole answer, or null as long as there is more to come. */
function wholeBody(bytes) {
  const at = bytes.indexOf(endOfHead);
  if (at < 0) return null;
  const head = bytes.toString('latin1', 0, at);
  const body = bytes.subarray(at + endOfHead.length);
  const length = /^content-length: *(\d+)/im.exec(head);
  if (!length) throw new Error(`an answer without a length: ${head}`);
  return body.length < Number(length[1]) ? null : body;
}

/** A connection that is kept alive, with one request at a time. */
export class HttpConnection {
  #parts = [];
  #waiting = null;
  #id = 0;
  asked = 0;

  static async open(port) {
    const connection = new HttpConnection();
    connection.port = port;
    connection.socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    connection.socket.on('data', (part) => connection.#take(part));
    const ended = (error) => connection.#waiting?.reject(error ?? new Error('the connection was closed'));
    connection.socket.on('error', ended).on('close', () => ended());
    await once(connection.socket, 'connect');
    return connection;
  }

  #take(part) {
    this.#parts.push(part);
    const bytes = this.#parts.length === 1 ? part : Buffer.concat(this.#parts);
    try {
      const body = wholeBody(bytes);
      if (!body) return;
      const { resolve, begun } = this.#waiting;
      const us = (performance.now() - begun) * 1000;
      this.#waiting = null;
      this.#parts = [];
      resolve({ us, body });
    } catch (error) {
      this.#waiting?.reject(error);
    }
  }

  /** Sends a request of requestBytes: {us, body}. */
  ask(bytes) {
    this.asked += 1;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, begun: performance.now() };
      this.socket.write(bytes);
    });
  }

  /** Calls a tool and fails if that was refused: {us, result}. */
  async call(name, args = {}) {
    const { us, body } = await this.ask(this.callBytes(name, args));
    return { us, result: accepted(name, JSON.parse(body)) };
  }

  /** The request that call() sends, for ask(). */
  callBytes(name, args = {}) {
    return requestBytes(this.port, ++this.#id, 'tools/call', { name, arguments: args }, name);
  }

  close() {
    this.socket.destroy();
  }
}

function accepted(name, message) {
  if (message.error || message.result.isError) throw new Error(`${name} was refused: ${JSON.stringify(message).slice(0, 400)}`);
  return message.result;
}

/** A listen stream that is open: its head and the first message have come. */
async function openStream(port, id) {
  const socket = net.connect({ port, host: '127.0.0.1' });
  socket.write(requestBytes(port, id, 'subscriptions/listen', { notifications: { resourcesListChanged: true } }));
  let text = '';
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes('notifications/subscriptions/acknowledged')) break;
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(`no stream: ${text}`);
  }
  socket.resume();
  return socket;
}

/** A server on a port of the loopback interface: `says` finds the port in a line of its output. */
export class HttpServer {
  connections = [];
  streams = [];

  static async start(command, says, options) {
    const server = new HttpServer();
    server.child = spawn(command[0], command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    server.exited = once(server.child, 'exit');
    const lines = [server.child.stdout, server.child.stderr].map((input) => createInterface({ input }));
    let output = '';
    server.port = await new Promise((resolve, reject) => {
      for (const input of lines) {
        input.on('line', (line) => {
          output += `${line}\n`;
          const found = says.exec(line);
          if (found) resolve(Number(found[1]));
        });
      }
      server.exited.then(() => reject(new Error(`${command[0]} has ended: ${output}`)));
    });
    return server;
  }

  /** So many connections, none of them so old that the server would soon close it. */
  async connect(count) {
    for (const old of this.connections.filter(({ asked }) => asked > askedMost)) old.close();
    this.connections = this.connections.filter(({ asked }) => asked <= askedMost);
    while (this.connections.length < count) this.connections.push(await HttpConnection.open(this.port));
    return this.connections.slice(0, count);
  }

  async openStreams(count) {
    while (this.streams.length < count) this.streams.push(await openStream(this.port, this.streams.length + 1));
  }

  /** Microseconds per call when `calls` calls are made with `inFlight` of them at a time. */
  async perCall(name, args, inFlight, calls) {
    const connections = await this.connect(inFlight);
    let left = calls;
    const begun = performance.now();
    await Promise.all(connections.map(async (connection) => {
      const bytes = connection.callBytes(name, args);
      while (left-- > 0) await connection.ask(bytes);
    }));
    const us = (performance.now() - begun) * 1000;
    await connections[0].call(name, args);
    return us / calls;
  }

  /** Kilobytes that are resident now. */
  residentKb() {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]);
  }

  async close() {
    for (const each of [...this.connections, ...this.streams.map((socket) => ({ close: () => socket.destroy() }))]) each.close();
    this.child.kill('SIGTERM');
    await this.exited;
  }
}

/** Microseconds per call over stdio when `calls` calls are made with `inFlight` of them at a time. */
export async function perCallOverStdio(server, name, args, inFlight, calls) {
  const { child } = server.lines;
  const line = `${JSON.stringify({ id: 0, jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: args } })}\n`;
  let sent = 0;
  let answered = 0;
  const begun = performance.now();
  await new Promise((resolve) => {
    const more = () => {
      const room = Math.min(calls, answered + inFlight) - sent;
      if (room > 0) child.stdin.write(line.repeat(room));
      sent += Math.max(room, 0);
    };
    server.lines.divert((part) => {
      for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) ++answered;
      if (answered === calls) resolve();
      else more();
    });
    more();
  });
  const us = (performance.now() - begun) * 1000;
  server.lines.divert(null);
  await server.call(name, args);
  return us / calls;
}
