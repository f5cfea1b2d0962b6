// Stands between a client and a server over HTTP and records every request with its answer. Bytes are
// passed on as they come, so that streams stay streams; what one side ends, it ends on the other.
import { once } from 'node:events';
import http from 'node:http';

/** Cuts a stream of events into the texts of its `data` fields. */
class Events {
  #rest = '';

  take(part) {
    const texts = [];
    const events = (this.#rest + part).split(/\r?\n\r?\n/);
    this.#rest = events.pop();
    for (const event of events) {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      if (data.length > 0) texts.push(data.map((line) => line.slice(5).trimStart()).join('\n'));
    }
    return texts.filter((text) => text !== '');
  }
}

/**
 * One request and its answer: {method, headers, body, status, answerHeaders, texts}. `texts` are the
 * messages of the answer as they were sent, in order; `body` is the text of the request.
 */
export class RecordingProxy {
  exchanges = [];

  /** Listens on a free port of 127.0.0.1 until the test ends; `url` stands for `target`. */
  static async begin(target) {
    const proxy = new RecordingProxy();
    proxy.target = new URL(target);
    proxy.server = http.createServer((request, response) => proxy.#pass(request, response));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}${this.target.pathname}`;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  #pass(request, response) {
    const exchange = { method: request.method, headers: request.headers, body: '', status: 0, answerHeaders: {}, texts: [] };
    this.exchanges.push(exchange);
    const onward = http.request({
      host: this.target.hostname, port: this.target.port, path: request.url, method: request.method,
      headers: flat(request.rawHeaders), agent: false,
    });
    request.setEncoding('utf8');
    request.on('data', (part) => {
      exchange.body += part;
      onward.write(part);
    });
    request.on('end', () => onward.end());
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      exchange.status = answer.statusCode;
      exchange.answerHeaders = answer.headers;
      response.writeHead(answer.statusCode, answer.rawHeaders);
      response.flushHeaders();
      const streamed = /^text\/event-stream/.test(answer.headers['content-type'] ?? '');
      const events = new Events();
      let whole = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => {
        response.write(part);
        if (streamed) exchange.texts.push(...events.take(part));
        else whole += part;
      });
      answer.on('error', () => response.destroy());
      answer.on('end', () => {
        if (whole) exchange.texts.push(whole);
        response.end();
      });
    });
    response.on('close', () => onward.destroy());
  }
}

/** The headers of the client as they are, its `Host` too. */
function flat(rawHeaders) {
  const headers = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    headers[name] = name in headers ? [headers[name], rawHeaders[i + 1]].flat() : rawHeaders[i + 1];
  }
  return headers;
}
