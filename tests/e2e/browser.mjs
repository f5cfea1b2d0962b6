// Headless Chromium, spoken to over a pipe (Chrome DevTools Protocol), so that it takes no package
// and opens no port.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The browser of this machine, or null. */
export function findBrowser() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

export class Browser {
  #next = 0;
  #waiting = new Map();
  #listeners = [];

  constructor(program) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasegate-browser-'));
    // Without its sandbox, which a container often cannot give; it only visits our own pages.
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    options.push('--hide-scrollbars', '--no-first-run', '--remote-debugging-pipe', `--user-data-dir=${this.folder}`);
    this.child = spawn(program, options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.exited = once(this.child, 'exit');
    this.child.stdio[3].on('error', () => {});
    let rest = '';
    this.child.stdio[4].setEncoding('utf8').on('data', (data) => {
      const parts = (rest + data).split('\0');
      rest = parts.pop();
      for (const part of parts) this.#take(JSON.parse(part));
    });
    this.exited.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'));
    });
  }

  #take(message) {
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting.resolve(message.result);
      return;
    }
    for (const listener of [...this.#listeners]) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#next;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, method }));
  }

  /** Resolves with the next event of this kind. */
  event(method, sessionId) {
    return new Promise((resolve) => {
      const listener = (message) => {
        if (message.method !== method || message.sessionId !== sessionId) return;
        this.#listeners.splice(this.#listeners.indexOf(listener), 1);
        resolve(message.params);
      };
      this.#listeners.push(listener);
    });
  }

  /** A page as wide as `width`, `scheme` being light or dark; without scripts. */
  async page({ width = 1280, scheme = 'light' } = {}) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.send('Page.enable');
    await page.send('Network.enable');
    await page.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: width < 600 });
    await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    return page;
  }

  async close() {
    // Asked, not killed: its helpers end with it, and nobody writes into the folder any more.
    await this.send('Browser.close').catch(() => {});
    await this.exited;
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

class Page {
  constructor(browser, sessionId) {
    this.browser = browser;
    this.sessionId = sessionId;
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  /** Does something that leads to another page, and waits until that is there; its status. */
  async #going(action) {
    const response = this.browser.event('Network.responseReceived', this.sessionId);
    const loaded = this.browser.event('Page.loadEventFired', this.sessionId);
    await action();
    const { response: got } = await response;
    await loaded;
    return got.status;
  }

  open(url) {
    return this.#going(() => this.send('Page.navigate', { url }));
  }

  /** Evaluates in the page what a test wants to know; the page's own scripts stay off. */
  async look(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async #key(type, key, code, text) {
    await this.send('Input.dispatchKeyEvent', { type, key, windowsVirtualKeyCode: code, text });
  }

  /** Presses a key as a person does. */
  async press(key) {
    const known = { Tab: [9], Enter: [13, '\r'], ArrowDown: [40], ' ': [32, ' '] };
    const [code, text] = known[key];
    await this.#key(text ? 'keyDown' : 'rawKeyDown', key, code, text);
    await this.#key('keyUp', key, code);
  }

  /** Types into what has the focus. */
  type(text) {
    return this.send('Input.insertText', { text });
  }

  /** Goes on with Tab until the element has the focus. */
  async tabTo(selector) {
    for (let i = 0; i < 60; ++i) {
      if (await this.look(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
      await this.press('Tab');
    }
    throw new Error(`${selector} cannot be reached with the keyboard`);
  }

  /** Presses Enter, which sends the form; the status of what comes back. */
  submit() {
    return this.#going(() => this.press('Enter'));
  }

  /** A picture of all of the page, as PNG. */
  async picture() {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, fromSurface: true });
    return Buffer.from(data, 'base64');
  }

  /** Fits the page's height to what it holds, so that a picture has all of it. */
  async grow(width) {
    const height = await this.look('document.documentElement.scrollHeight');
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  }
}
