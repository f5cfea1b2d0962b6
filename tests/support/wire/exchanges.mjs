// Which revision each message over HTTP belongs to, and whether it is valid in it.
import assert from 'node:assert/strict';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const modern = '2026-07-28';

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The revision that an exchange speaks, as far as it can be known; sessions are remembered. */
function revisionOf(exchange, request, sessions) {
  if (request?.params?._meta?.[versionKey]) return modern;
  if (request?.method === 'initialize') {
    const revision = parsed(exchange.texts.at(-1))?.result?.protocolVersion;
    const session = exchange.answerHeaders['mcp-session-id'];
    if (session) sessions.set(session, revision);
    return revision;
  }
  return sessions.get(exchange.headers['mcp-session-id']) ?? exchange.headers['mcp-protocol-version'];
}

/**
 * Checks every message that the server has sent in `exchanges` of a RecordingProxy against the schema
 * of its revision; `schemas` are OfficialSchemas by revision. Messages of a revision without a schema
 * are left out. Returns how often each kind of message was checked, by `REVISION KIND`.
 */
export function checkExchanges(exchanges, schemas) {
  const sessions = new Map();
  const counts = {};
  for (const exchange of exchanges) {
    const request = parsed(exchange.body);
    const schema = schemas[revisionOf(exchange, request, sessions)];
    if (!schema) continue;
    for (const text of exchange.texts) {
      const message = parsed(text);
      assert.ok(message, `not JSON: ${text}`);
      const answers = message.method === undefined;
      const kind = schema.checkMessage({ message, request: answers ? request : undefined });
      const key = `${revisionOf(exchange, request, sessions)} ${kind}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}
