// Takes the pictures of docs/pictures from the explorer itself, over WordNet, in light, dark and narrow: they show what it looks like now.
// With a folder it takes every screen instead, to be looked at: as a person does, nobody can test whether something is ugly.
// Wants Chromium (CHROMIUM_PATH) and everything built.
//
//   npm run pictures
//   npm run pictures -- --screens FOLDER [--only NAME,NAME] [--looks light,dark,narrow]

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { fillScreens, openScreen, screens } from './lib/explorer-screens.mjs';
import { at } from './lib/freshness.mjs';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** What ends a run that hangs, not what a fast machine needs. */
const patienceMs = 200_000;
const settings = [
  '--Service:Durability:Volatile=true',
  '--Service:Http:Port=0',
  '--Service:Security:SensitiveRateLimitPermitPerWindow=10000',
];
/** @type {{ name: string, width: number, height: number, colorScheme: 'light' | 'dark' }[]} */
const pictures = [
  { name: 'explorer-light', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'explorer-dark', width: 1280, height: 800, colorScheme: 'dark' },
  { name: 'explorer-narrow', width: 360, height: 740, colorScheme: 'light' },
];

const {
  screens: folder,
  only,
  looks,
} = parseArgs({
  options: { screens: { type: 'string' }, only: { type: 'string' }, looks: { type: 'string' } },
}).values;
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
  const browser = await chromium.launch({ executablePath, args });
  if (folder === undefined) await takePictures(browser, url);
  else await takeScreens(browser, url, resolve(folder));
  await browser.close();
} finally {
  service.kill('SIGTERM');
}

async function takePictures(browser, url) {
  spawnSync(process.execPath, [at('dist/runtime-node/samples/main.js'), 'wordnet', '--url', url], { stdio: 'inherit' });
  mkdirSync(at('docs/pictures'), { recursive: true });
  for (const picture of pictures) await take(browser, url, picture);
}

async function takeScreens(browser, url, into) {
  const names = only?.split(',');
  mkdirSync(into, { recursive: true });
  await fillScreens(url);
  for (const { name: look, width, height, colorScheme } of pictures) {
    if (looks !== undefined && !looks.split(',').includes(look.replace('explorer-', ''))) continue;
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    page.setDefaultTimeout(patienceMs);
    for (const screen of screens) {
      if (names !== undefined && !names.includes(screen.name)) continue;
      await openScreen(page, url, screen);
      const path = join(into, `${screen.name}-${look.replace('explorer-', '')}.png`);
      await page.screenshot({ path, fullPage: width < 400 });
      console.log(path);
    }
    await page.close();
  }
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
