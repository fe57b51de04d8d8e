// Browsers as processes of their own, without a driver: they open one page and are ended by a signal.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BrowserKind {
  readonly name: 'chromium' | 'firefox';
  readonly path: string;
  /** Makes a profile ready, and tells the arguments. */
  arguments(profile: string, url: string): readonly string[];
}

/** No questions, no updates, nothing asked of the network. */
const firefoxPreferences = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'captivedetect.canonicalURL': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.prefetch-next': false,
  'services.settings.server': 'http://127.0.0.1:9/',
  'toolkit.telemetry.enabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
};

const chromium: BrowserKind = {
  name: 'chromium',
  path: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  arguments: (profile, url) => [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-extensions'],
    ...[`--user-data-dir=${profile}`, url],
  ],
};

const firefox: BrowserKind = {
  name: 'firefox',
  path: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
  arguments: (profile, url) => {
    mkdirSync(profile, { recursive: true });
    const lines = Object.entries(firefoxPreferences).map(
      ([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(join(profile, 'user.js'), lines.join(''));
    return ['--headless', '--no-remote', '--profile', profile, url];
  },
};

export function browserOf(name: string): BrowserKind {
  return name === 'firefox' ? firefox : chromium;
}

/** Why it cannot be used here; null when it can. */
export function missingBrowser({ name, path }: BrowserKind): string | null {
  if (existsSync(path)) return null;
  return `there is no ${path}; ${name === 'firefox' ? 'FIREFOX_PATH' : 'CHROMIUM_PATH'} names another one`;
}

/** `profile`: a folder of its own, kept over starts. */
export function startBrowser(kind: BrowserKind, profile: string, url: string): ChildProcess {
  return spawn(kind.path, [...kind.arguments(profile, url)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, MOZ_HEADLESS: '1', MOZ_CRASHREPORTER_DISABLE: '1', MOZ_DISABLE_AUTO_SAFE_MODE: '1' },
    detached: true,
  });
}

/** Ends it with everything it has started, at once. */
export async function killBrowser(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;
}
