// Who may use whom. Arrows point one way: runtime-* -> src/http -> src/queries -> src/engine -> src/core; a folder may use
// what is further down, never what is above or beside it unless the table says so.

import { builtinModules } from 'node:module';
import { importsOf, type Problem, type ProjectFile, place, resolveImport } from './project.ts';

/** For each folder of src/ the other folders it may use. A new folder needs a line here. */
const ARROWS: Record<string, readonly string[]> = {
  client: [],
  core: [],
  words: [],
  config: ['words'],
  telemetry: [],
  storage: [],
  fragments: ['core', 'words'],
  engine: ['core', 'storage', 'config', 'telemetry'],
  providers: ['config', 'telemetry'],
  documents: ['engine', 'core', 'providers', 'config', 'telemetry'],
  queries: ['engine', 'core', 'fragments', 'providers', 'storage', 'config', 'telemetry'],
  http: ['queries', 'engine', 'core', 'fragments', 'documents', 'providers', 'storage', 'config', 'telemetry', 'words'],
};

/** For each room of src/fragments the other rooms it may use; all of them may use what lies above the rooms. */
const ROOMS: Record<string, readonly string[]> = {
  parser: [],
  library: [],
  interpreter: ['library'],
  binder: ['library', 'interpreter'],
  emit: ['interpreter'],
  machine: ['emit'],
  plugins: ['parser', 'binder', 'interpreter'],
};

/** For each room of assembly/ the other rooms it may use; all may use `status.ts` and the generated texts, none the list of
 * exports above them. */
const CORE: Record<string, readonly string[]> = {
  generated: [],
  memory: [],
  values: ['memory'],
  graph: ['memory', 'values'],
  read: ['graph', 'memory', 'values'],
  scan: ['read', 'graph', 'memory', 'values'],
  index: ['scan', 'read', 'graph', 'memory', 'values'],
  transaction: ['index', 'graph', 'memory', 'values'],
  checkpoint: ['transaction', 'index', 'graph', 'memory', 'values'],
  interchange: ['transaction', 'read', 'graph', 'memory', 'values'],
  traverse: ['index', 'read', 'graph', 'memory', 'values'],
  fragments: ['traverse', 'scan', 'graph', 'memory', 'values'],
  analytics: ['transaction', 'read', 'graph', 'memory', 'values'],
};

/** For each room of explorer/ the other rooms it may use; the page's entry may use all of them. */
const EXPLORER: Record<string, readonly string[]> = {
  model: [],
  style: [],
  layout: ['model'],
  render: ['model', 'style'],
  data: ['model'],
  session: ['data', 'layout', 'model', 'style'],
  panels: ['session', 'data', 'render', 'model', 'style'],
};

/** Packages that rooms of explorer/ may use; of src/ the explorer uses the typed client alone. */
const EXPLORER_PACKAGES: Record<string, readonly string[]> = {
  data: ['papaparse'],
  layout: ['d3-force', '@dagrejs/dagre'],
  panels: ['preact'],
  '': ['preact'],
};

/** Packages that run in every home, so src/ may use them. */
const PORTABLE_PACKAGES = [
  '@huggingface/tokenizers',
  '@noble/hashes',
  '@remix-run/multipart-parser',
  '@streamparser/json',
  'aws4fetch',
  'eventsource-parser',
  'itty-router',
  're2js',
  'zod',
];

/** Imports against the arrows, imports of Node in src/, and packages that src/ may not use. */
export function arrowProblems(files: ProjectFile[]): Problem[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ name, start }) => {
      const problem = name.startsWith('.') ? relativeProblem(file, name) : packageProblem(file, name);
      return problem ? [`${place(file, start)} ${problem}`] : [];
    }),
  );
}

function relativeProblem(file: ProjectFile, name: string): string | null {
  const target = resolveImport(file, name);
  const [from, to] = [territoryOf(file.path), territoryOf(target)];
  if (from.home === 'assembly' && to.home === 'assembly') return coreProblem(file.path, target, name);
  if (from.home === to.home && from.home !== 'src' && from.home !== 'explorer') return null;
  const refusal = `${from.name} may not use ${to.name} (${name})`;
  switch (from.home) {
    case 'assembly':
    case 'scripts':
      return refusal;
    case 'test/assembly':
      return to.home === 'assembly' ? null : refusal;
    case 'explorer':
      return refusalOf(file.path, target, name);
    case 'src': {
      if (to.home !== 'src') return refusal;
      if (from.folder === 'fragments' && to.folder === 'fragments') return roomProblem(file.path, target, name);
      if (from.folder === '' || from.folder === to.folder) return null;
      const allowed = ARROWS[from.folder];
      if (!allowed) return `${from.name} has no line in the table of arrows`;
      return allowed.includes(to.folder) ? null : refusal;
    }
    default:
      // A runtime, a test or a benchmark may use all of src, but no runtime uses another one, and none of them a test.
      if (from.home.startsWith('runtime-')) return to.home === 'src' ? null : refusal;
      return null;
  }
}

/** Between the rooms of src/fragments, and out of the one room that knows nothing of C#. */
function roomProblem(from: string, to: string, name: string): string | null {
  const [room, target] = [roomOf(from), roomOf(to)];
  const isFormat = from.startsWith(FORMAT);
  if (isFormat && target !== '' && !to.startsWith(FORMAT)) return `${FORMAT} may not use ${to} (${name})`;
  if (room === '' || target === '' || room === target) return null;
  const allowed = ROOMS[room];
  if (!allowed) return `src/fragments/${room} has no line in the table of rooms`;
  return allowed.includes(target) ? null : `src/fragments/${room} may not use src/fragments/${target} (${name})`;
}

/** Between the rooms of the explorer, and out of it. */
function refusalOf(from: string, to: string, name: string): string | null {
  const [room, target] = [coreRoomOf(from), coreRoomOf(to)];
  const refusal = `${from} may not use ${to} (${name})`;
  if (to.startsWith('src/client/')) return room === 'data' ? null : refusal;
  if (!to.startsWith('explorer/')) return refusal;
  if (room === '' || room === target) return null;
  return EXPLORER[room]?.includes(target) ? null : refusal;
}

/** Between the rooms of the core. */
function coreProblem(from: string, to: string, name: string): string | null {
  const [room, target] = [coreRoomOf(from), coreRoomOf(to)];
  if (room === '' || room === target || target === 'generated' || to === 'assembly/status.ts') return null;
  const allowed = CORE[room];
  if (!allowed) return `assembly/${room} has no line in the table of the core's rooms`;
  return allowed.includes(target) ? null : `assembly/${room} may not use ${to} (${name})`;
}

function coreRoomOf(path: string): string {
  const [, room = '', file] = path.split('/');
  return file === undefined ? '' : room;
}

const FORMAT = 'src/fragments/emit/wasm/';

function roomOf(path: string): string {
  const [, , room = '', file] = path.split('/');
  return file === undefined ? '' : room;
}

function packageProblem(file: ProjectFile, name: string): string | null {
  const { home, name: territory } = territoryOf(file.path);
  if (home === 'assembly' || home === 'test/assembly') return `${territory} may not use a package (${name})`;
  if (home === 'explorer') {
    const packageOf = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    const known = EXPLORER_PACKAGES[coreRoomOf(file.path)] ?? [];
    return known.includes(packageOf) ? null : `${file.path} may not use the package ${packageOf}`;
  }
  if (home !== 'src' && home !== 'runtime-browser' && home !== 'runtime-edge') return null;
  if (name.startsWith('node:') || builtinModules.includes(name)) return `${territory} may not use Node (${name})`;
  const packageName = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  return PORTABLE_PACKAGES.includes(packageName) ? null : `${territory} may not use the package ${packageName}`;
}

function territoryOf(path: string): { home: string; folder: string; name: string } {
  const [first = '', second = '', third] = path.split('/');
  if (first === 'src') {
    const folder = third === undefined ? '' : second;
    return { home: 'src', folder, name: folder === '' ? 'src' : `src/${folder}` };
  }
  const home = first === 'test' && second === 'assembly' ? 'test/assembly' : first;
  return { home, folder: '', name: home };
}
