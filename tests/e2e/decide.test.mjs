// The page on which a person decides, in headless Chromium, without scripts and with nothing but the
// keyboard. Where there is no Chromium the tests are skipped, but fail under PHASEGATE_E2E=require.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Browser, findBrowser } from './browser.mjs';
import { approver, WaitingProject } from './decision.mjs';

const program = findBrowser();
const required = process.env.PHASEGATE_E2E === 'require';
const skip = !program && !required && 'there is no Chromium here: apt-get install chromium';

/** Runs `body` with a waiting session, its page's address and a browser; all of it ends afterwards. */
async function withPage(body) {
  assert.ok(program, 'there is no Chromium here');
  const project = new WaitingProject();
  const browser = new Browser(program);
  try {
    await project.enrol();
    const session = await project.begin();
    await project.serve();
    await body({ project, session, browser, url: `${project.url}/decide/${project.decision(session)}` });
  } finally {
    await project.close();
    await browser.close();
  }
}

async function fill(page, { option, input, secret }) {
  await page.tabTo('input[name=option]');
  for (let i = 0; i < option; ++i) await page.press('ArrowDown');
  if (option === 0) await page.press(' ');
  await page.tabTo('#input');
  await page.type(input);
  await page.tabTo('#name');
  await page.type(approver.name);
  await page.tabTo('#secret');
  await page.type(secret);
}

const heading = 'document.querySelector("h1").textContent';

test('decide page: a person decides with the keyboard alone, without scripts', { skip }, () =>
  withPage(async ({ project, session, browser, url }) => {
    const page = await browser.page({ width: 1280 });
    assert.equal(await page.open(url), 200);
    await fill(page, { option: 0, input: '', secret: 'not the one' });
    assert.equal(await page.submit(), 403);
    assert.match(await page.look('document.querySelector("[role=alert]").textContent'), /Nothing was decided/);
    assert.equal(await page.look('document.querySelector("#secret").value'), '');
    assert.equal(await page.look('document.querySelector("#name").value'), approver.name);
    assert.equal(await page.look('document.querySelector("[name=option]:checked").value'), 'approve');
    await page.tabTo('#secret');
    await page.type(approver.secret);
    assert.equal(await page.submit(), 200);
    assert.equal(await page.look(heading), 'Approve');
    assert.equal(project.status(session).status, 'active');
    assert.equal(await page.open(url), 404);
    assert.ok(!(await page.look('location.href')).includes('?'));
  }));

test('decide page: work goes back with a comment', { skip }, () =>
  withPage(async ({ project, session, browser, url }) => {
    const page = await browser.page({ width: 360 });
    await page.open(url);
    await fill(page, { option: 1, input: '', secret: approver.secret });
    assert.equal(await page.submit(), 422);
    assert.match(await page.look('document.querySelector("[role=alert]").textContent'), /needs a comment/);
    await page.tabTo('#input');
    await page.type('Name the last boat.');
    await page.tabTo('#secret');
    await page.type(approver.secret);
    assert.equal(await page.submit(), 200);
    assert.equal(project.status(session).status, 'active');
  }));

test('decide page: fits, has names for everything, and enough contrast, in light and dark', { skip }, () =>
  withPage(async ({ browser, url }) => {
    for (const scheme of ['light', 'dark']) {
      for (const width of [360, 1280]) {
        const page = await browser.page({ width, scheme });
        await page.open(url);
        const at = `${width} ${scheme}`;
        assert.ok((await page.look('document.documentElement.scrollWidth')) <= width, `wider than ${at}`);
        assert.deepEqual(await page.look(unnamed), [], at);
        assert.deepEqual(await page.look(pale), [], at);
        // The style that the policy names is the one that came.
        assert.equal(await page.look('getComputedStyle(document.querySelector("main")).maxWidth'), '736px');
      }
    }
  }));

/** Fields without a label. */
const unnamed = `[...document.querySelectorAll('input:not([type=hidden]), textarea, button')]
  .filter((field) => !(field.labels?.length || field.textContent.trim())).map((field) => field.outerHTML)`;

/** Texts whose contrast with what is behind them is below 4.5 (WCAG 2.2, 1.4.3). */
const pale = `(() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parts(getComputedStyle(e).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own && !element.matches('input, textarea')) continue;
    const [a, b] = [light(parts(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.push(element.tagName + '.' + element.className + ' ' + contrast.toFixed(2));
  }
  return found;
})()`;
