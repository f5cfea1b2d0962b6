// What the conformance tests share: the fixture as a process, a run of a suite, and its results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests through tests/conformance/run.sh or ctest`);
  return value;
}

export const fixture = path.resolve(needed('PHASEGATE_CONFORMANCE'));
const folder = path.resolve(needed('PHASEGATE_CONFORMANCE_MODULES'));
/** The require function of the folder with the packages. */
export const modules = createRequire(path.join(folder, 'package.json'));

/** The suites: the newest one, which knows both eras, and the one that was current before. */
export const suites = {
  '0.2.0-alpha.12': path.join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js'),
  '0.1.16': path.join(folder, 'node_modules', 'conformance-0.1', 'dist', 'index.js'),
};

/**
 * Starts a server that says `listening on ADDRESS` on its standard output; the URL of its endpoint.
 * It is ended when the test ends, which has to be in order.
 */
export async function listening(t, command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    const [code, signal] = await exited;
    if (code !== 0) throw new Error(`${path.basename(command)} ended with ${code ?? signal}`);
  });
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => text);
  const early = exited.then(([code, signal]) => { throw new Error(`${command} ended with ${code ?? signal}`); });
  early.catch(() => {});
  const [, address] = /^listening on (\S+)$/.exec(await Promise.race([line, early])) ?? [];
  if (!address) throw new Error(`${command} did not say where it listens`);
  return `http://${address}/mcp`;
}

/** Runs a program to its end: {code, output}. */
async function run(command, args, options) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

/** `server-NAME-2026-11-28T05-00-00-000Z` → NAME */
const scenarioOf = (folder) => folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');

/**
 * Runs a suite against `url`: {code, output, scenarios}, where scenarios are the checks of each by its
 * name: [{id, status, description, errorMessage}]. Nothing is left behind.
 */
export async function runSuite(version, url, ...options) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-conformance-'));
  try {
    const ended = await run(process.execPath, [suites[version], 'server', '--url', url, '-o', folder, ...options], { cwd: folder });
    const scenarios = new Map();
    for (const name of fs.readdirSync(folder).sort()) {
      const scenario = scenarioOf(name);
      if (scenarios.has(scenario)) throw new Error(`${scenario} was run twice`);
      const file = path.join(folder, name, 'checks.json');
      scenarios.set(scenario, fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : []);
    }
    return { ...ended, scenarios };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The number of checks with each status, without those that only inform: {SUCCESS: 3}. */
export function tally(checks) {
  const counts = {};
  for (const { status } of checks) if (status !== 'INFO') counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The checks that did not succeed, for people. */
export function complaints(scenarios) {
  const lines = [];
  for (const [scenario, checks] of scenarios) {
    for (const { id, status, description, errorMessage } of checks) {
      if (status !== 'SUCCESS' && status !== 'INFO') lines.push(`${scenario}: ${status} ${id}: ${errorMessage ?? description}`);
    }
  }
  return lines.join('\n');
}
