// A project in which a session of `crossing` waits for a person, with an approver and a server, made
// with nothing but the program: for the tests of the page and for its pictures.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Terminal } from './terminal.mjs';

export const approver = { name: 'ada', secret: 'green kettle hums' };

const evidence = {
  summary:
    'Three crossings were added for the summer season, and the last boat now leaves at 22:40.\n' +
    'The Sunday table was checked against last year’s.',
  crossings: ['Haven – Skerry', 'Skerry – Old Pier', 'Old Pier – Haven'],
  open_questions: 1,
};

const timetable = '# Summer\n\n- 06:10 Haven\n- 07:45 Skerry\n- 22:40 Old Pier\n';

export class WaitingProject {
  #server;

  constructor() {
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-decision-'));
    this.folder = path.join(this.root, 'harbour');
    this.state = path.join(this.root, 'state');
    fs.mkdirSync(this.folder);
    const flows = path.join(this.root, 'flows');
    const fixtures = path.join(process.env.PHASEGATE_SOURCE_DIR, 'tests', 'fixtures');
    fs.cpSync(path.join(fixtures, 'crossing'), path.join(flows, 'crossing'), { recursive: true });
    fs.writeFileSync(path.join(this.folder, 'timetable.md'), timetable);
    this.options = ['--root', this.folder, '--state', this.state, '--workflows', flows];
  }

  run(...args) {
    const { status, stdout, stderr } = spawnSync(process.env.PHASEGATE_BINARY, [...args, ...this.options], { encoding: 'utf8' });
    return { status, stdout, stderr };
  }

  /** The structured result of a tool. */
  async call(name, args) {
    const child = spawn(process.env.PHASEGATE_BINARY, ['mcp', ...this.options], { stdio: ['pipe', 'pipe', 'inherit'] });
    const start = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: start })}\n`);
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })}\n`);
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    await once(child, 'close');
    const answer = out.trim().split('\n').map((line) => JSON.parse(line)).find(({ id }) => id === 1);
    return answer.result?.structuredContent;
  }

  /** Has a person enrol on a terminal. */
  async enrol() {
    const command = [process.env.PHASEGATE_BINARY, 'approvers', 'add', approver.name, ...this.options];
    const terminal = new Terminal(command, this.root);
    await terminal.answer(`New secret of ${approver.name}: `, approver.secret);
    await terminal.answer('The same again: ', approver.secret);
    assert.equal(await terminal.exited, 0, terminal.output);
  }

  /** A session in which a decision waits; its id. */
  async begin() {
    const { session_id: session } = await this.call('start_workflow', { workflow_type: 'crossing', target_file: 'timetable.md' });
    await this.call('complete_phase', { session_id: session, phase: 1, evidence });
    return session;
  }

  /** The id of the decision that the session waits for, as its history has it. */
  decision(session) {
    const { status, stdout, stderr } = this.run('history', session, '--json');
    assert.equal(status, 0, stderr);
    const opened = [...stdout.matchAll(/"decision": ?"([0-9a-f-]{36})"/g)].at(-1);
    assert.ok(opened, stdout);
    return opened[1];
  }

  /** Where the page of a decision is; the server runs until close(). */
  async serve() {
    this.#server = spawn(process.env.PHASEGATE_BINARY, ['serve', '--listen', '127.0.0.1:0', ...this.options], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    this.url = await new Promise((resolve, reject) => {
      this.#server.stderr.on('data', (data) => {
        output += data;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
        if (found) resolve(found[0]);
      });
      once(this.#server, 'exit').then(() => reject(new Error(`phasegate serve has ended:\n${output}`)));
    });
  }

  status(session) {
    return JSON.parse(this.run('status', session, '--json').stdout);
  }

  async close() {
    if (this.#server) {
      const exited = once(this.#server, 'exit');
      this.#server.kill('SIGTERM');
      await exited;
    }
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
