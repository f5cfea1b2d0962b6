// Whether bench/run still measures everything: its table has its rows, each with numbers. How large
// they are is not tested here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const main = path.join(path.dirname(fileURLToPath(import.meta.url)), 'main.mjs');
const build = path.resolve(process.argv[2]);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-bench-smoke-'));

function rowsOf(...options) {
  const json = path.join(folder, 'rows.json');
  const text = execFileSync(process.execPath, [main, '--build', build, '--folder', folder, '--json', json, ...options], { encoding: 'utf8' });
  const { rows } = JSON.parse(fs.readFileSync(json, 'utf8'));
  for (const row of rows) {
    assert.ok(text.includes(row.what), `the table lacks ${row.what}`);
    assert.ok(row.figure > 0 && Number.isFinite(row.figure), `${row.what}: ${row.figure}`);
    assert.ok(row.floor > 0 && Number.isFinite(row.floor), `${row.what}: floor ${row.floor}`);
    if (row.goal) assert.match(row.verdict, /^(met|missed)$/);
  }
  return rows.map(({ what }) => what);
}

try {
  const reads = ['list_sessions', 'get_workflow_state', 'get_current_phase', 'list_workflows'];
  const http = (label) => [
    ...['p50', 'p99'].map((part) => `get_workflow_state, ${label}, ${part}`),
    ...[1, 8, 32].map((count) => `get_workflow_state, ${label}, ${count} in flight, per call`),
  ];
  const grown = ['list_sessions', 'get_current_phase', 'complete_phase, refused'];
  assert.deepEqual(rowsOf('--quick', '--calls', '3'), [
    ...reads.flatMap((name) => [`${name}, p50`, `${name}, p99`]),
    ...[1, 8].map((count) => `get_workflow_state, stdio, ${count} in flight, per call`),
    ...http('HTTP'), ...http('HTTP, 30 open streams'), 'memory over HTTP, 30 open streams',
    'complete_phase, accepted, p50', 'complete_phase, accepted, p99',
    'start → tools/list answered, p50',
    'memory, idle', 'memory, 30 open runs', 'memory, 30 open runs, each looked at', 'memory, 30 calls later',
    ...grown.map((name) => `${name}, 30 runs`),
    ...grown.map((name) => `${name}, journal of 30`),
  ]);
  const other = `'${path.join(build, 'phasegate')}' mcp --root '${folder}' --state '${path.join(folder, 'other')}'`;
  assert.deepEqual(rowsOf('--calls', '3', '--server', other, '--tool', 'list_sessions', '--args', '{"status":"all"}'), [
    'start → tools/list answered, p50', 'memory, idle', 'tools/list, p50', 'tools/list, p99', 'list_sessions, p50', 'list_sessions, p99',
  ]);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
