#!/usr/bin/env node
// What a workflow costs an assistant in tokens, and how much of it is ours.
//
//   node bench/tokens.mjs --binary build/release/phasegate --workflows DIR --workflow ID [--input JSON] [--json]
//
// Starts the program over stdio, walks the workflow from start to end with the examples that it is
// given, and counts characters / 4 of both representations of every answer: clients show a model
// either the text or the structured content. Each is split into the phase's own words (`own`), what
// its gate asks for (`criteria`) and everything else (`wrap`), which is what this program adds.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    binary: { type: 'string', default: 'build/release/phasegate' },
    workflows: { type: 'string' },
    workflow: { type: 'string' },
    input: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (!options.workflow) {
  console.error('usage: tokens.mjs --workflow ID [--workflows DIR] [--binary FILE] [--input JSON] [--json]');
  process.exit(2);
}

const charsPerToken = 4;
const tokens = (chars) => Math.round(chars / charsPerToken);

class Client {
  constructor(command, args) {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.waiting = new Map();
    this.next = 1;
    this.process.on('error', (error) => this.failAll(error));
    this.process.on('exit', (code) => this.failAll(new Error(`the server ended with code ${code}`)));
    readline.createInterface({ input: this.process.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      const waiter = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) waiter?.reject(new Error(JSON.stringify(message.error)));
      else waiter?.resolve(message.result);
    });
  }

  failAll(error) {
    for (const waiter of this.waiting.values()) waiter.reject(error);
    this.waiting.clear();
  }

  request(method, params) {
    const id = this.next++;
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async call(name, args = {}) {
    const result = await this.request('tools/call', { name, arguments: args });
    return { text: result.content[0].text, structured: result.structuredContent, isError: result.isError === true };
  }

  close() {
    this.process.stdin.end();
    return new Promise((resolve) => this.process.once('exit', resolve));
  }
}

const contentKeys = ['phase_content', 'next_phase_content', 'current_phase_content', 'task'];
const criteriaKeys = ['checkpoint_criteria', 'required_format', 'examples'];
const size = (value) => JSON.stringify(value).length;

/** Characters of both representations of an answer, by kind. */
function measure({ text, structured }) {
  const counted = { text: { own: 0, criteria: 0 }, structured: { own: 0, criteria: 0 } };
  const names = new Set();
  let example;
  for (const key of contentKeys) {
    const content = structured[key]?.content;
    if (content === undefined) continue;
    counted.structured.own += size(content) - 2;
    if (!text.includes(content.trimEnd())) throw new Error(`the text lacks the content of ${key}`);
    counted.text.own += content.length;
  }
  for (const key of criteriaKeys) {
    if (structured[key] === undefined) continue;
    counted.structured.criteria += size(key) + 2 + size(structured[key]);
    const schema = structured[key].evidence_schema ?? structured[key];
    for (const name of Object.keys(schema.properties ?? {})) names.add(name);
    example ??= structured[key].example ?? structured[key][0];
  }
  let inOwn = false;
  for (const line of text.split('\n')) {
    inOwn ||= line.startsWith('## Text of') || line.startsWith('## Task');
    if (inOwn) continue;
    const field = /^- ([^:]+): /.exec(line);
    if (line.startsWith('## Evidence') || (field && names.has(field[1])) ||
        (example !== undefined && line.includes(JSON.stringify(example)))) {
      counted.text.criteria += line.length + 1;
    }
  }
  const totals = { text: text.length, structured: size(structured) };
  for (const kind of ['text', 'structured']) {
    const { own, criteria } = counted[kind];
    counted[kind] = { own, criteria, wrap: totals[kind] - own - criteria, total: totals[kind] };
  }
  return counted;
}

const rows = [];
const add = (what, counted) => rows.push({ what, ...counted });
const plain = (what, chars) => {
  const one = { own: 0, criteria: 0, wrap: chars, total: chars };
  add(what, { text: one, structured: one });
};

function summed(measured) {
  const zero = () => ({ own: 0, criteria: 0, wrap: 0, total: 0 });
  const sum = { text: zero(), structured: zero() };
  for (const each of measured) {
    for (const kind of ['text', 'structured']) {
      for (const part of Object.keys(sum[kind])) sum[kind][part] += each[kind][part];
    }
  }
  return sum;
}

function expectOk(answer, what) {
  if (answer.isError) throw new Error(`${what} was refused:\n${answer.text}`);
  return answer;
}

async function walk(client) {
  const hello = await client.request('initialize', {
    protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'tokens', version: '1' },
  });
  plain('instructions', hello.instructions.length);
  plain('tools/list', size((await client.request('tools/list', {})).tools));
  add('list_workflows', measure(await client.call('list_workflows')));

  const start = { workflow_type: options.workflow, target_file: 'feature' };
  if (options.input) start.input = JSON.parse(options.input);
  let answer = expectOk(await client.call('start_workflow', start), 'start_workflow');
  const session = { session_id: answer.structured.session_id };
  const path_ = [];
  let how = 'start_workflow';
  while (true) {
    const phase = answer.structured.current_phase;
    const here = measure(answer);
    add(`phase ${phase}: ${how}`, here);
    const again = expectOk(await client.call('get_current_phase', session), 'get_current_phase');
    add(`phase ${phase}: get_current_phase again`, measure(again));
    const digest = again.structured.content_digest;
    let repeated = measure(again);
    if (digest !== undefined) {
      repeated = measure(expectOk(await client.call('get_current_phase', { ...session, known_digest: digest }),
        'get_current_phase with known_digest'));
      add(`phase ${phase}: get_current_phase, known_digest`, repeated);
    }
    const tasks = [];
    for (const task of again.structured.phase_content.tasks ?? []) {
      if (task.missing) continue;
      tasks.push(measure(expectOk(
        await client.call('get_task', { ...session, phase, task_number: task.task_number }), 'get_task')));
    }
    if (tasks.length > 0) add(`phase ${phase}: ${tasks.length} × get_task`, summed(tasks));
    const refused = await client.call('complete_phase', { ...session, phase, evidence: {} });
    if (refused.isError) add(`phase ${phase}: refused, evidence {}`, measure(refused));
    else throw new Error('empty evidence passed: this workflow cannot be measured with refusals');
    const skip = await client.call('get_phase_content', { ...session, phase: 'nowhere' });
    const skipped = measure(skip);
    add(`phase ${phase}: refused, later phase`, skipped);
    path_.push({ here, repeated, tasks, refused: measure(refused) });
    answer = expectOk(await client.call('complete_phase', {
      ...session, phase, evidence: again.structured.checkpoint_criteria.example,
    }), 'complete_phase');
    how = 'complete_phase passed';
    if (answer.structured.workflow_complete || answer.structured.status !== 'active') break;
  }
  add('the last phase passed', measure(answer));
  add('get_workflow_state', measure(await client.call('get_workflow_state', session)));
  add('list_sessions', measure(await client.call('list_sessions', { status: 'all' })));
  add('TOTAL: every phase once, every task', summed(path_.flatMap((each) => [each.here, ...each.tasks])));
  add('TOTAL: … read again once, refused once in each', summed(
    path_.flatMap((each) => [each.here, ...each.tasks, each.repeated, each.refused])));
}

function print() {
  const cells = ['own', 'criteria', 'wrap', 'total'];
  console.log(`| tokens (characters / ${charsPerToken}) | text: own | criteria | wrap | total | structured: own | criteria | wrap | total |`);
  console.log(`| --- |${' ---: |'.repeat(8)}`);
  for (const row of rows) {
    const numbers = ['text', 'structured'].flatMap((kind) => cells.map((cell) => tokens(row[kind][cell])));
    console.log(`| ${row.what} | ${numbers.join(' | ')} |`);
  }
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-tokens-'));
const args = ['mcp', '--root', folder, '--state', path.join(folder, 'state')];
if (options.workflows) args.push('--workflows', path.resolve(options.workflows));
const client = new Client(path.resolve(options.binary), args);
try {
  await walk(client);
  if (options.json) console.log(JSON.stringify(rows, null, 2));
  else print();
} finally {
  await client.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
