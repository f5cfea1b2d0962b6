// The figures. Each function adds rows {what, figure, floor, unit, floorIs, goal} to `rows`; a goal is
// {ratio} or {most}, in the row's unit. Figure and floor of a row come from the same stretch of time.
import { LineProcess, McpServer, interleaved, quantile } from './client.mjs';
import { evidence, firstPhase, firstPhaseRuns } from './material.mjs';
import path from 'node:path';

const p50 = (values) => quantile(values, 0.5);
const p99 = (values) => quantile(values, 0.99);
const ms = (us) => us / 1000;
const megabytes = (kb) => kb / 1024;

export const goals = { read: 2, commit: 1.5, startMs: 10, idleMb: 12, manyRunsMb: 20, growth: 1.5, memoryGrowth: 1.1 };

function readRows(rows, name, taken, floor, floorIs, goal) {
  rows.push({ what: `${name}, p50`, figure: p50(taken), floor: p50(floor), unit: 'µs', floorIs, goal });
  rows.push({ what: `${name}, p99`, figure: p99(taken), floor: p99(floor), unit: 'µs', floorIs });
}

/** Read calls over stdio, beside a canned answer through the same kind of pipe and this client. */
export async function readCalls(rows, material, counts) {
  const store = await material.storeWith(20);
  const server = await material.serve(store);
  const echo = await material.echo();
  const [session_id] = await firstPhaseRuns(server, 1);
  const canned = async () => (await echo.call('echo')).us;
  const calls = [
    ['list_sessions', {}, true], ['get_workflow_state', { session_id }, true], ['get_current_phase', { session_id }, true],
    ['list_workflows', {}, false],
  ];
  for (const [name, args, hasGoal] of calls) {
    const [taken, floor] = await interleaved([async () => (await server.call(name, args)).us, canned], counts.reads);
    readRows(rows, name, taken, floor, 'canned echo', hasGoal ? { ratio: goals.read } : undefined);
  }
  await server.close();
  await echo.close();
}

/** An accepted complete_phase, beside a bare transaction that writes the same rows. */
export async function commits(rows, material, counts) {
  const { calls, warmup } = counts.commits;
  const store = await material.storeWith(calls + warmup + 1);
  const bare = new LineProcess(material.programs.store, ['commit', path.join(material.copy(store), 'state.db')]);
  const server = await material.serve(store);
  const ids = await firstPhaseRuns(server, calls + warmup);
  const complete = async () => {
    const { us, result } = await server.call('complete_phase', { session_id: ids.pop(), phase: firstPhase, evidence });
    if (!result.structuredContent.checkpoint_passed) throw new Error('the gate did not open');
    return us;
  };
  const transaction = async () => Number((await bare.ask('\n')).line.toString()) / 1000;
  const [taken, floor] = await interleaved([complete, transaction], counts.commits);
  readRows(rows, 'complete_phase, accepted', taken, floor, 'bare transaction, same rows', { ratio: goals.commit });
  await server.close();
  await bare.close();
}

/** From the start of the process until tools/list is answered. */
export async function startUp(rows, material, counts) {
  const store = await material.storeWith(1);
  const once = async (starting) => {
    const server = await starting;
    const us = server.startUs;
    await server.close();
    return us;
  };
  const [taken, floor] = await interleaved([() => once(material.serve(store)), () => once(material.echo())], counts.starts);
  rows.push({
    what: 'start → tools/list answered, p50', figure: ms(p50(taken)), floor: ms(p50(floor)), unit: 'ms', floorIs: 'echo server',
    goal: { most: goals.startMs },
  });
}

/** What stays resident: at rest, with many open runs, and after each of them was looked at. */
export async function memory(rows, material, counts) {
  const echo = await material.echo();
  const row = (what, server, most) => rows.push({
    what, figure: megabytes(server.lines.residentKb()), floor: megabytes(echo.lines.residentKb()), unit: 'MB',
    floorIs: 'echo server', goal: { most },
  });
  const idle = await material.serve(await material.storeWith(1));
  row('memory, idle', idle, goals.idleMb);
  await idle.close();
  const many = counts.openRuns;
  const server = await material.serve(await material.storeWith(many));
  await server.call('list_sessions');
  row(`memory, ${many} open runs`, server, goals.manyRunsMb);
  for (const session_id of await firstPhaseRuns(server, many)) await server.call('get_current_phase', { session_id });
  row(`memory, ${many} open runs, each looked at`, server, goals.manyRunsMb);
  await server.close();
  await echo.close();
  rows.push(await afterManyCalls(material, counts.memoryCalls));
}

/** What a server that has answered many calls holds, beside what it held after the first hundredth of them. */
async function afterManyCalls(material, calls) {
  const server = await material.serve(await material.storeWith(20));
  const ids = await firstPhaseRuns(server, 20);
  const some = async (count) => {
    for (let i = 0; i < count; ++i) {
      const session_id = ids[i % ids.length];
      await server.call('get_current_phase', { session_id });
      await server.call('list_sessions');
      await server.call('complete_phase', { session_id, phase: firstPhase, evidence: {} }, { refusal: true });
    }
  };
  await some(Math.ceil(calls / 300));
  const floor = megabytes(server.lines.residentKb());
  await some(Math.ceil(calls / 3));
  const figure = megabytes(server.lines.residentKb());
  await server.close();
  return {
    what: `memory, ${calls} calls later`, figure, floor, unit: 'MB', floorIs: 'the same process before', goal: { ratio: goals.memoryGrowth },
  };
}

/** The same call where there is little and where there is much. */
async function grown(rows, small, large, counts, floorIs, label) {
  const ids = [(await firstPhaseRuns(small, 1))[0], (await firstPhaseRuns(large, 1))[0]];
  const both = (name, args, options) => [large, small].map((server, at) => async () =>
    (await server.call(name, args(ids[1 - at]), options)).us);
  const row = (what, [much, little]) => rows.push({
    what: `${what}, ${label}`, figure: p50(much), floor: p50(little), unit: 'µs', floorIs, goal: { ratio: goals.growth },
  });
  row('list_sessions', await interleaved(both('list_sessions', () => ({})), counts.growthReads));
  row('get_current_phase', await interleaved(both('get_current_phase', (session_id) => ({ session_id })), counts.growthReads));
  row('complete_phase, refused', await interleaved(
    both('complete_phase', (session_id) => ({ session_id, phase: firstPhase, evidence: {} }), { refusal: true }),
    counts.growthWrites));
}

/** The cost of a call as runs grow in number, and as the journal of one run grows. */
export async function growth(rows, material, counts) {
  const few = counts.runs[0];
  const base = await material.storeWith(few);
  for (const many of counts.runs.slice(1)) {
    const store = material.copy(base);
    material.grow('runs', store, many);
    const [small, large] = [await material.serve(material.copy(base)), await material.serve(store)];
    await grown(rows, small, large, counts, `${few} runs`, `${many} runs`);
    await small.close();
    await large.close();
  }
  const [short, long] = [await material.storeWith(1), await material.storeWith(1)];
  material.grow('journal', long, counts.journal);
  const [small, large] = [await material.serve(short), await material.serve(long)];
  await grown(rows, small, large, counts, 'a new journal', `journal of ${counts.journal}`);
  await small.close();
  await large.close();
}

/** Another server: start-up, tools/list, memory and, if `tool` is given, one call. */
export async function otherServer(rows, material, counts, { command, tool, args }) {
  const starts = [];
  const floors = [];
  for (let i = 0; i < counts.starts.calls; ++i) {
    for (const [list, start] of [[starts, () => McpServer.start(command)], [floors, () => material.echo()]]) {
      const server = await start();
      list.push(server.startUs);
      await server.close();
    }
  }
  rows.push({ what: 'start → tools/list answered, p50', figure: ms(p50(starts)), floor: ms(p50(floors)), unit: 'ms', floorIs: 'echo server' });
  const server = await McpServer.start(command);
  const echo = await material.echo();
  rows.push({
    what: 'memory, idle', figure: megabytes(server.lines.residentKb()), floor: megabytes(echo.lines.residentKb()), unit: 'MB', floorIs: 'echo server',
  });
  const measured = [['tools/list', async () => (await server.request('tools/list', {})).us]];
  if (tool) measured.push([tool, async () => (await server.call(tool, args)).us]);
  for (const [name, call] of measured) {
    const [taken, floor] = await interleaved([call, async () => (await echo.call('echo')).us], counts.reads);
    readRows(rows, name, taken, floor, 'canned echo');
  }
  await server.close();
  await echo.close();
}
