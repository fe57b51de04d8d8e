// What the build steps share: the frame of a step (`step`), content hashes, stamps that say what a step read and wrote, locks between
// processes and atomic replacement of files. A step is fresh when everything it read and wrote still has the content the stamp names;
// times on files decide nothing. May know nothing of any one step, and imports no package: it runs before the install.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The project's top folder, without a trailing separator. */
export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

const stampFolder = join(root, 'dist', '.stamps');
const lockFolder = join(root, 'dist', '.locks');
const lockPollMs = 50;

/** An absolute path for one relative to the project. */
export function at(path) {
  return join(root, path);
}

/** SHA-256 of text or bytes, in hexadecimal. */
export function hashOf(content) {
  return createHash('sha256').update(content).digest('hex');
}

/** Hash of a project file, or null when there is none. */
export function hashOfFile(path) {
  try {
    return hashOf(readFileSync(at(path)));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Every file below the folders that `keep` accepts, as sorted project paths with forward slashes.
 * @param {string[]} folders
 * @param {(path: string) => boolean} keep
 */
export function listFiles(folders, keep = (_path) => true) {
  const found = [];
  for (const folder of folders) {
    if (!existsSync(at(folder))) continue;
    for (const entry of readdirSync(at(folder), { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const path = relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/');
      if (keep(path)) found.push(path);
    }
  }
  return found.sort();
}

/** Hashes of project files by path. */
export function hashesOf(paths) {
  return Object.fromEntries(paths.map((path) => [path, hashOfFile(path)]));
}

/** Replaces a project file in one step, so that a reader sees the old content or the new, never a part. */
export function replaceFile(path, content) {
  const target = at(path);
  mkdirSync(dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}.part`;
  writeFileSync(temporary, content);
  renameSync(temporary, target);
}

/** What a step throws when the text says everything: no stack is reported. */
export class Failed extends Error {}

/**
 * Runs a step of the build unless its last run is fresh: alone among all processes, with a stamp behind it, and without the files that only
 * the run before wrote. True when the step is good; a failure has been reported, and leaves no stamp.
 *
 *   recipe   files, and other texts, that say how it builds       inputs   lists what it reads, where that is known beforehand
 *   make     given the inputs, writes the files and answers their paths, what to say of them, and what it has read where `inputs` is missing
 *
 * @param {{
 *   name: string, title?: string, recipe: string[], texts?: string[], inputs?: () => string[], force?: boolean,
 *   make: (inputs: string[]) => Made | Promise<Made>, report?: Report,
 * }} step
 * @typedef {((line: string) => void) & { begins?: () => void }} Report  Gets a line a step; `begins` is called before what takes time.
 * @typedef {{ outputs: string[], says?: string, inputs?: Record<string, string | null> }} Made
 */
export async function step({
  name,
  title = name,
  recipe,
  texts = [],
  inputs,
  force = false,
  make,
  report = console.log,
}) {
  const how = recipeOf(recipe, texts);
  if (!force && isFresh(name, how, inputs?.())) return true;
  return withLock(name, async () => {
    const known = inputs?.();
    if (!force && isFresh(name, how, known)) return true;
    report.begins?.();
    const started = performance.now();
    // Before the work: what changes meanwhile makes the next run.
    const hashes = hashesOf(known ?? []);
    try {
      const { outputs, says, inputs: read = hashes } = await make(known ?? []);
      removeOthers(name, outputs);
      writeStamp(name, how, read, outputs);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (says !== undefined) report(`  ${title}: ${says} in ${seconds} s`);
      return true;
    } catch (error) {
      report(`  ${title}: FAILED\n${error instanceof Failed ? error.message : (error.stack ?? error)}`);
      return false;
    }
  });
}

/** Hash of how a step builds. */
export function recipeOf(files, texts = []) {
  return hashOf([...files.map(hashOfFile), ...texts].join('\n'));
}

/** What package-lock.json says of these packages, as a text of a recipe: a change of any other one changes nothing that they make. */
export function lockedPackages(names) {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  return names.map((name) => {
    const { version, integrity } = packages[`node_modules/${name}`];
    return `${name} ${version} ${integrity}`;
  });
}

/** Removes what the step's last run wrote and this one did not. */
function removeOthers(name, outputs) {
  const kept = new Set(outputs);
  for (const path of outputsOf(name)) if (!kept.has(path)) rmSync(at(path), { force: true });
}

/** Writes a project file unless it has that content; answers its path. */
export function put(path, content) {
  if (hashOfFile(path) !== hashOf(content)) replaceFile(path, content);
  return path;
}

/** Whether the script of that URL is the one that was started, and not one that another imports. */
export function isStarted(url) {
  return process.argv[1] !== undefined && url === pathToFileURL(resolve(process.argv[1])).href;
}

/**
 * True when the step's last run had this recipe (a hash of how it builds), and every file it read and wrote is as it was.
 * `inputs`, where the step knows them beforehand, must also be the very set of files of that run.
 */
export function isFresh(step, recipe, inputs) {
  const stamp = readStamp(step);
  if (stamp === null || stamp.recipe !== recipe) return false;
  if (inputs && inputs.join('\n') !== Object.keys(stamp.inputs).join('\n')) return false;
  return matches(stamp.inputs) && matches(stamp.outputs);
}

/** Files that the step's last run wrote, or an empty list. */
function outputsOf(step) {
  return Object.keys(readStamp(step)?.outputs ?? {});
}

/** Records a run. `inputs` are the hashes of what was really read (null: looked for, not there); `outputs` are paths. */
export function writeStamp(step, recipe, inputs, outputs) {
  const stamp = { recipe, inputs, outputs: hashesOf(outputs) };
  replaceFile(relative(root, join(stampFolder, `${step}.json`)), `${JSON.stringify(stamp, null, 1)}\n`);
}

/** Runs `work` while no other process works on the same step; the lock of a process that died is taken over. */
export async function withLock(step, work) {
  mkdirSync(lockFolder, { recursive: true });
  const path = join(lockFolder, step);
  while (!tryLock(path)) await new Promise((done) => setTimeout(done, lockPollMs));
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function readStamp(step) {
  try {
    return JSON.parse(readFileSync(join(stampFolder, `${step}.json`), 'utf8'));
  } catch {
    return null; // none, or half a one: the step simply runs
  }
}

function matches(hashes) {
  return Object.entries(hashes).every(([path, hash]) => hashOfFile(path) === hash);
}

function tryLock(path) {
  try {
    const file = openSync(path, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isAbandoned(path)) {
    try {
      // Of several waiters only one gets to rename it; should the lock have found a new owner meanwhile, it goes back.
      const grave = `${path}.${randomUUID()}`;
      renameSync(path, grave);
      if (!isAbandoned(grave)) linkSync(grave, path);
      unlinkSync(grave);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return false;
}

function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    // Between creating the file and writing the id there is a moment without an owner; give it a second.
    if (!owner) return Date.now() - statSync(path).mtimeMs > 1000;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
