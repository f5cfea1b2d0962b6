// screenshots.mjs FOLDER: see scripts/screenshots.
import fs from 'node:fs';
import path from 'node:path';

import { Browser, findBrowser } from './browser.mjs';
import { approver, WaitingProject } from './decision.mjs';

const folder = process.argv[2];
const project = new WaitingProject();
const browser = new Browser(findBrowser());
try {
  await project.enrol();
  const session = await project.begin();
  await project.serve();
  const url = `${project.url}/decide/${project.decision(session)}`;
  const save = async (page, width, name) => {
    await page.grow(width);
    fs.writeFileSync(path.join(folder, `${name}.png`), await page.picture());
    console.error(`phasegate: ${name}.png`);
  };
  const fill = async (page, secret) => {
    await page.tabTo('input[name=option]');
    await page.press('ArrowDown');
    await page.tabTo('#input');
    await page.type('The Sunday table still has the old pier.');
    await page.tabTo('#name');
    await page.type(approver.name);
    await page.tabTo('#secret');
    await page.type(secret);
  };
  for (const scheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      const page = await browser.page({ width, scheme });
      await page.open(url);
      await save(page, width, `decide-${width}-${scheme}`);
      await page.open(url);
      await fill(page, 'not the one');
      await page.submit();
      await save(page, width, `refused-${width}-${scheme}`);
    }
  }
  const page = await browser.page({ width: 360, scheme: 'light' });
  await page.open(url);
  await fill(page, approver.secret);
  await page.submit();
  await save(page, 360, 'decided-360-light');
  await page.open(url);
  await save(page, 360, 'closed-360-light');
} finally {
  await project.close();
  await browser.close();
}
