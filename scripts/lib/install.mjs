// Installs the dependencies when node_modules is not what package-lock.json asks for, by comparing it with the record that
// npm itself keeps in node_modules once an install has finished. Imports no package, of course.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { at, withLock } from './freshness.mjs';

/** Runs `npm ci` when needed; returns true when everything is installed. */
export async function install(report = console.log) {
  if (isInstalled()) return true;
  return withLock('install', () => {
    if (isInstalled()) return true;
    report('Installing dependencies ...');
    // Building needs the development dependencies whatever NODE_ENV says.
    const args = ['ci', '--include=dev', '--no-progress'];
    const npm = process.env.npm_execpath;
    const { status, error } = npm
      ? spawnSync(process.execPath, [npm, ...args], { cwd: at('.'), stdio: 'inherit' })
      : spawnSync('npm', args, { cwd: at('.'), stdio: 'inherit', shell: process.platform === 'win32' });
    if (error) console.error(`npm could not be started: ${error.message}`);
    return status === 0 && isInstalled();
  });
}

/** True when every package of the lock file is there in its version; optional ones may be missing (other platforms). */
export function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (wanted === null || present === null) return false;
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === '') continue;
    if (present[path] ? present[path].version !== version : !optional) return false;
  }
  return true;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(at(path), 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}
