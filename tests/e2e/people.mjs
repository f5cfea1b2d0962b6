// People who decide: a project with workflows of the test's own, approvers, a person at a terminal
// and one with a browser. All of it with nothing but the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { atEnd } from './lib.mjs';
import { Project } from './project.mjs';
import { Terminal } from './terminal.mjs';

/** Who can be enrolled, the first of them first. */
export const secrets = { ada: 'green kettle hums', bob: 'blue ladder leans', eve: 'old brown harbour' };
const roles = { bob: ['qa'], eve: ['qa'] };

/** What `phasegate status --exit-code` says. */
export const exits = { completed: 0, active: 10, person: 11, paused: 13, partial: 20, rejected: 21, cancelled: 22 };

/** What enrolling has left behind, by names: it takes a while, and every test needs it. */
const enrolled = new Map();

/** A project whose workflows are `flows`: {name: steps}. */
export class PeopleProject extends Project {
  constructor(t, flows) {
    super(t);
    this.t = t;
    this.state = path.join(this.root, 'state');
    for (const [workflow, steps] of Object.entries(flows)) {
      fs.writeFileSync(path.join(this.root, 'flows', `${workflow}.json`), JSON.stringify({ workflow, steps }));
    }
  }

  /** Runs a command of the program to its end, without a terminal. */
  run(...args) {
    const done = spawnSync(this.server.command, [...args, ...this.options], { encoding: 'utf8' });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }

  /** Runs it on a terminal of somebody's own. */
  terminal(...args) {
    const terminal = new Terminal([this.server.command, ...args, ...this.options], this.root);
    atEnd(this.t, () => terminal.child.kill('SIGKILL'));
    return terminal;
  }

  /** Enrols people on a terminal; once in a process, then their book is laid into the project. */
  async enrol(...names) {
    const key = names.join(' ');
    if (!enrolled.has(key)) enrolled.set(key, await this.#enrolByHand(names));
    fs.mkdirSync(this.state, { recursive: true, mode: 0o700 });
    for (const [name, bytes] of enrolled.get(key)) {
      fs.writeFileSync(path.join(this.state, name), bytes, { mode: 0o600 });
    }
  }

  async #enrolByHand(names) {
    for (const name of names) {
      const has = (roles[name] ?? []).flatMap((role) => ['--role', role]);
      const terminal = this.terminal('approvers', 'add', name, ...has);
      if (name !== names[0]) {
        if (name !== names[1]) await terminal.answer('Name of an approver', names[0]);
        await terminal.answer('Secret of ', secrets[names[0]]);
      }
      await terminal.answer(`New secret of ${name}: `, secrets[name]);
      await terminal.answer('The same again: ', secrets[name]);
      assert.equal(await this.end(terminal), 0, terminal.output);
    }
    const files = fs.readdirSync(this.state).filter((name) => name.startsWith('approvers'));
    return files.map((name) => [name, fs.readFileSync(path.join(this.state, name))]);
  }

  /** Waits for the end of what runs on a terminal: its exit code. No secret was shown there. */
  async end(terminal) {
    const code = await terminal.exited;
    for (const secret of Object.values(secrets)) assert.ok(!terminal.output.includes(secret), 'a secret was shown');
    return code;
  }

  /** `phasegate status --exit-code`, by the name in `exits`. */
  exit(session) {
    const { code, err } = this.run('status', session, '--exit-code');
    return Object.keys(exits).find((name) => exits[name] === code) ?? `${code}: ${err}`;
  }

  /** What of a session's history has this kind. */
  history(session, kind) {
    const { code, out, err } = this.run('history', session, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out).entries.filter((entry) => entry.kind === kind);
  }

  /** A person decides on a terminal, up to where the secret is to be given. */
  async decideUntilSecret(session, { as = 'ada', option, input = '' }) {
    const terminal = this.terminal('decide', session, '--option', option, ...(input ? ['--input', input] : []));
    const questions = { words: 'Anything to be said with it', sure: 'Is that your decision? [y/N] ' };
    if ((await terminal.sees(...Object.values(questions))) === questions.words) {
      terminal.child.stdin.write('\n');
      await terminal.sees(questions.sure);
    }
    terminal.child.stdin.write('y\n');
    if ((await terminal.sees('Name of an approver', `Secret of ${as}: `)) === 'Name of an approver') {
      terminal.child.stdin.write(`${as}\n`);
      await terminal.sees(`Secret of ${as}: `);
    }
    terminal.tell = async () => {
      terminal.child.stdin.write(`${secrets[as]}\n`);
      return { code: await this.end(terminal), output: terminal.output };
    };
    return terminal;
  }

  /** A person decides on a terminal: {code, output}. */
  async decide(session, choice) {
    return (await this.decideUntilSecret(session, choice)).tell();
  }

  /** A person stops a session for a while, or has it go on: the exit code. */
  async pause(session, command = 'pause') {
    const terminal = this.terminal(command, session);
    await terminal.answer('Secret of ada: ', secrets.ada);
    return this.end(terminal);
  }
}

/** The page of a decision below `url`, as a browser has it: its status and what a form has to bring. */
export async function openPage(url, decision) {
  const address = new URL(`/decide/${decision}`, url);
  const response = await fetch(address);
  const text = await response.text();
  return { address, status: response.status, text, token: /name="token" value="([^"]+)"/.exec(text)?.[1] };
}

/** Sends the form of a page: {status, text}. */
export async function sendForm(page, { as = 'ada', option, input = '', secret = secrets[as] }) {
  const body = new URLSearchParams({ token: page.token, option, input, name: as, secret });
  const response = await fetch(page.address, { method: 'POST', body });
  const text = await response.text();
  assert.ok(!text.includes(secret), 'a page shows the secret');
  return { status: response.status, text };
}

/** A person decides on the page. */
export async function decideOnPage(url, decision, choice) {
  return sendForm(await openPage(url, decision), choice);
}
