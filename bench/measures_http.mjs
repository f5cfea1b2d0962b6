// The figures of both transports with requests in flight, of HTTP with many open streams, and what
// such streams take. As in measures.mjs, figure and floor come from the same stretch of time.
import { interleaved, quantile } from './client.mjs';
import { perCallOverStdio } from './http_client.mjs';
import { firstPhaseRuns } from './material.mjs';

const p50 = (values) => quantile(values, 0.5);
const p99 = (values) => quantile(values, 0.99);
const megabytes = (kb) => kb / 1024;
const tool = 'get_workflow_state';

export const goals = { read: 2 };

/** One read call at a time over HTTP. */
async function oneAtATime(rows, label, server, echo, args, counts, goal) {
  const [connection] = await server.connect(1);
  const [canned] = await echo.connect(1);
  const ask = (to, name, given) => {
    const bytes = to.callBytes(name, given);
    return async () => (await to.ask(bytes)).us;
  };
  await connection.call(tool, args);
  const [taken, floor] = await interleaved([ask(connection, tool, args), ask(canned, 'echo', {})], counts.reads);
  const row = { unit: 'µs', floorIs: 'canned HTTP echo' };
  rows.push({ what: `${tool}, ${label}, p50`, figure: p50(taken), floor: p50(floor), ...row, goal });
  rows.push({ what: `${tool}, ${label}, p99`, figure: p99(taken), floor: p99(floor), ...row });
}

/** The time per call when so many are in flight, as the median over blocks of calls. */
async function inFlight(rows, label, sides, floorIs, counts) {
  const { calls, block, warmup } = counts.blocks;
  const [taken, floor] = await interleaved(sides(block), { calls, block: 1, warmup });
  rows.push({ what: `${tool}, ${label}, per call`, figure: p50(taken), floor: p50(floor), unit: 'µs', floorIs });
}

async function overHttp(rows, label, server, echo, args, counts) {
  for (const together of counts.together) {
    await inFlight(rows, `${label}, ${together} in flight`, (block) => [
      () => server.perCall(tool, args, together, block), () => echo.perCall('echo', {}, together, block),
    ], 'canned HTTP echo', counts);
  }
}

/** Reads over stdio and HTTP, with 1 to 32 of them in flight, and beside many open streams. */
export async function transports(rows, material, counts) {
  const store = await material.storeWith(20);
  const lines = await material.serve(store);
  const cannedLines = await material.echo();
  const [session_id] = await firstPhaseRuns(lines, 1);
  const args = { session_id };
  for (const together of counts.together.filter((count) => count <= 8)) {
    await inFlight(rows, `stdio, ${together} in flight`, (block) => [
      () => perCallOverStdio(lines, tool, args, together, block),
      () => perCallOverStdio(cannedLines, 'echo', {}, together, block),
    ], 'canned echo', counts);
  }
  await lines.close();
  await cannedLines.close();

  const server = await material.serveHttp(store);
  const echo = await material.echoHttp();
  await oneAtATime(rows, 'HTTP', server, echo, args, counts, { ratio: goals.read });
  await overHttp(rows, 'HTTP', server, echo, args, counts);
  const before = server.residentKb();
  await server.openStreams(counts.streams);
  const after = server.residentKb();
  await oneAtATime(rows, `HTTP, ${counts.streams} open streams`, server, echo, args, counts);
  await overHttp(rows, `HTTP, ${counts.streams} open streams`, server, echo, args, counts);
  rows.push({
    what: `memory over HTTP, ${counts.streams} open streams`, figure: megabytes(after), floor: megabytes(before), unit: 'MB',
    floorIs: 'the same without streams',
  });
  await server.close();
  await echo.close();
}
