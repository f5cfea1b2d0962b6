import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** A folder of real documents that are not part of the checkout, or null; `t.skip` says so. */
export function realDocuments(t, relative) {
  const root = process.env.PHASEGATE_SHARED ?? path.join(repository, '..', 'shared');
  const folder = path.join(root, relative);
  if (fs.existsSync(folder)) return folder;
  t.skip(`no real documents at ${relative} (set PHASEGATE_SHARED)`);
  return null;
}
