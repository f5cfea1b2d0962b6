// A terminal, which `script` gives, with somebody who reads and types.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Somebody at a terminal of their own, in which `command` runs, an array, with `home` as home folder. */
export class Terminal {
  output = '';
  #read = 0;
  #more = () => {};

  constructor(command, home) {
    const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    // Nothing that would mark the terminal as an assistant's, which may run these tests.
    const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb' };
    const args = ['-qfec', `exec ${line}`, '/dev/null'];
    this.child = spawn('script', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      this.output += text;
      this.#more();
    });
    this.exited = once(this.child, 'close').then(([code]) => code);
    this.exited.then(() => this.#more());
  }

  /** Waits until the terminal shows one of `prompts` after what was seen before; which one it is. */
  async sees(...prompts) {
    for (;;) {
      const prompt = prompts.find((one) => this.output.includes(one, this.#read));
      if (prompt) {
        this.#read = this.output.indexOf(prompt, this.#read) + prompt.length;
        return prompt;
      }
      assert.ok(this.child.exitCode === null && this.child.signalCode === null, `no "${prompts}" in:\n${this.output}`);
      await new Promise((resolve) => (this.#more = resolve));
    }
  }

  async answer(prompt, text) {
    await this.sees(prompt);
    this.child.stdin.write(`${text}\n`);
  }
}
