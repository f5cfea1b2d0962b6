// Options, the order of the measures, and the table. Started by bench/run.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Material } from './material.mjs';
import * as measures from './measures.mjs';
import { transports } from './measures_http.mjs';

const usage = `bench/run [OPTIONS…]: measures phasegate beside its floors, in the same run

  --quick            fewer calls, fewer runs
  --huge             also with 1,000,000 runs
  --only NAME        reads, transports, commits, start, memory or growth; may be repeated
  --server COMMAND   measures another MCP server instead: start, memory, tools/list
  --tool NAME        and a call of this tool of it
  --args JSON        with these arguments
  --json FILE        also writes the rows to FILE
  --folder DIR       works in DIR, and so on its file system; default: the folder for temporary files
  --build DIR        uses the programs in DIR and builds nothing
  --calls N          calls of each kind, for a test of this program`;

const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const ordinary = {
  reads: { calls: 4000, block: 50, warmup: 500 },
  commits: { calls: 400, block: 1, warmup: 20 },
  starts: { calls: 30, block: 1, warmup: 3 },
  growthReads: { calls: 2000, block: 50, warmup: 200 },
  growthWrites: { calls: 200, block: 5, warmup: 20 },
  blocks: { calls: 20, block: 500, warmup: 2 },
  together: [1, 8, 32],
  streams: 200,
  openRuns: 10_000,
  memoryCalls: 30_000,
  runs: [1000, 100_000],
  journal: 10_000,
};
const quick = {
  ...ordinary,
  reads: { calls: 1000, block: 50, warmup: 200 },
  commits: { calls: 100, block: 1, warmup: 10 },
  starts: { calls: 10, block: 1, warmup: 1 },
  blocks: { calls: 9, block: 200, warmup: 1 },
  growthReads: { calls: 500, block: 50, warmup: 100 },
  growthWrites: { calls: 50, block: 5, warmup: 5 },
  memoryCalls: 3000,
  runs: [1000, 10_000],
};

function tiny(calls) {
  const some = { calls, block: 1, warmup: 1 };
  return {
    reads: some, commits: some, starts: some, growthReads: some, growthWrites: some,
    blocks: { calls, block: 10 * calls, warmup: 1 }, together: [1, 8, 32], streams: 10 * calls,
    openRuns: 10 * calls, memoryCalls: 10 * calls, runs: [calls, 10 * calls], journal: 10 * calls,
  };
}

function fail(message) {
  console.error(`bench/run: ${message}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  try {
    return parseArgs({
      options: {
        quick: flag, huge: flag, help: flag, only: { type: 'string', multiple: true }, server: text, tool: text, args: text,
        json: text, folder: text, build: text, calls: text,
      },
    }).values;
  } catch (error) {
    return fail(`${error.message}\n\n${usage}`);
  }
}

/** Splits a command as a shell does with plain words and quoted ones. */
const words = (command) => (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));

function verdict({ figure, floor, goal }) {
  if (!goal) return ['', ''];
  const met = goal.ratio ? figure / floor <= goal.ratio : figure <= goal.most;
  return [goal.ratio ? `≤ ${goal.ratio} ×` : `≤ ${goal.most}`, met ? 'met' : 'missed'];
}

function table(rows) {
  const number = (value) => value.toFixed(value < 10 ? 2 : 1);
  const lines = rows.map((row) => [
    row.what, `${number(row.figure)} ${row.unit}`, `${number(row.floor)} ${row.unit}`, row.floorIs,
    `${number(row.figure / row.floor)} ×`, ...verdict(row),
  ]);
  lines.unshift(['what', 'figure', 'floor', 'the floor is', 'ratio', 'goal', '']);
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => [...line[column]].length)));
  const right = new Set([1, 2, 4, 5]);
  return lines.map((line) => line.map((cell, column) => {
    const space = ' '.repeat(widths[column] - [...cell].length);
    return right.has(column) ? space + cell : cell + space;
  }).join('  ').trimEnd()).join('\n');
}

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const steps = {
  reads: measures.readCalls, transports, commits: measures.commits, start: measures.startUp, memory: measures.memory, growth: measures.growth,
};
for (const name of options.only ?? []) if (!steps[name]) fail(`there is no measure ${name}: ${Object.keys(steps).join(', ')}`);
const calls = options.calls === undefined ? 0 : Number(options.calls);
if (options.calls !== undefined && !(Number.isInteger(calls) && calls > 0)) fail('--calls takes a number above 0');
const counts = calls ? tiny(calls) : options.quick ? quick : { ...ordinary };
if (options.huge) counts.runs = [...counts.runs, 1_000_000];
let args = {};
try {
  args = JSON.parse(options.args ?? '{}');
} catch (error) {
  fail(`--args is not JSON: ${error.message}`);
}

const build = path.resolve(options.build ?? path.join(repository, 'build', 'release'));
const programs = Object.fromEntries(
  [['phasegate', 'phasegate'], ['echo', 'bench_echo'], ['store', 'bench_store']].map(([name, file]) => [name, path.join(build, file)]));
for (const file of Object.values(programs)) if (!fs.existsSync(file)) fail(`${file} is not built`);

const folder = fs.mkdtempSync(path.join(options.folder ?? os.tmpdir(), 'phasegate-bench-'));
const rows = [];
try {
  const material = new Material(programs, folder);
  if (options.server) {
    await measures.otherServer(rows, material, counts, { command: words(options.server), tool: options.tool, args });
  } else {
    for (const [name, step] of Object.entries(steps)) {
      if (!options.only || options.only.includes(name)) await step(rows, material, counts);
    }
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
const machine = `${os.cpus()[0]?.model ?? os.arch()}, ${os.cpus().length} processors, load ${os.loadavg()[0].toFixed(1)}, node ${process.version}`;
console.log(`${table(rows)}\n\n${machine}`);
if (options.json) {
  const shown = rows.map((row) => ({ ...row, ratio: row.figure / row.floor, verdict: verdict(row)[1] || null }));
  fs.writeFileSync(options.json, `${JSON.stringify({ machine, rows: shown }, null, 2)}\n`);
}
