// Takes the pictures of docs/pictures from the explorer itself, over WordNet, in light, dark and narrow: they show what it looks like now.
// Wants Chromium (CHROMIUM_PATH) and everything built.
//
//   npm run pictures

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { at } from './lib/freshness.mjs';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const settings = ['--Service:Durability:Volatile=true', '--Service:Http:Port=0'];
/** @type {{ name: string, width: number, height: number, colorScheme: 'light' | 'dark' }[]} */
const pictures = [
  { name: 'explorer-light', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'explorer-dark', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'explorer-narrow', width: 360, height: 740, colorScheme: 'light' },
];

const service = spawn(process.execPath, [at('dist/node/main.js'), ...settings], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await new Promise((resolve) => {
    createInterface(service.stdout).on('line', (line) => {
      const found = /listening on (http:\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  spawnSync(process.execPath, [at('dist/runtime-node/samples/main.js'), 'wordnet', '--url', url], { stdio: 'inherit' });
  mkdirSync(at('docs/pictures'), { recursive: true });
  const browser = await chromium.launch({ executablePath, args });
  for (const picture of pictures) await take(browser, url, picture);
  await browser.close();
} finally {
  service.kill('SIGTERM');
}

/** Searches a word, unfolds it, and takes the picture. */
async function take(browser, url, { name, width, height, colorScheme }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  await page.goto(`${url}/explorer`);
  await page.locator('.schema').waitFor();
  await page.locator('.busy', { hasText: /^$/ }).waitFor({ state: 'attached' });
  if (name !== 'explorer-narrow') await unfold(page);
  await page.screenshot({ path: at(`docs/pictures/${name}.png`) });
  await page.close();
}

async function unfold(page) {
  await page.getByRole('searchbox').fill('#8');
  await page.locator('.hits button').first().click();
  await page.locator('.groups li').first().waitFor();
  await page.getByRole('button', { name: 'Next 25 edges' }).click();
  await page.locator('.shown', { hasText: /^3[1-9]/ }).waitFor();
  await page.locator('.busy', { hasText: /^$/ }).waitFor({ state: 'attached' });
}
