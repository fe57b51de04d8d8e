// Where checkpoints lie: the grammar of locations that requests name, default places, siblings and sidecars. Everything here is
// text; whether something exists, or leads out of the directory by a symbolic link, only the home can say.
//
// A checkpoint is a *primary* file and its *sidecars*, whose names go on with an underscore behind the primary's. A save whose
// target exists goes to a sibling `<name>#<stamp>` beside it.

import { defaultNamespace, isNamespaceId } from '../names.ts';

/** Names a file system takes for one part of a path, less what sidecars and temporary names add. */
const longestPartBytes = 180;
const longestNameBytes = 1024;
/** Names that some systems take for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\..*)?$/i;
const control = /[\u0000-\u001f\u007f]/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Part of the names of files that are being written. */
const temporaryMark = '.part-';
const siblingMark = '#';
/** What the service's own files are called, logs and the like. */
const ownPrefix = 'arcwise.';
const encoder = new TextEncoder();
const sidecarMark = '_';

/** Ticks of 100 ns at the Unix epoch, as .NET counts them, and the mark that says a binary time is UTC. */
const epochTicks = 621_355_968_000_000_000n;
const utcMark = 0x4000_0000_0000_0000n;
/** The last moment of the year 9999; a larger stamp is no time and counts as none. */
const lastStamp = utcMark + 3_155_378_975_999_999_999n;

/** The directory of a namespace below the storage directory; empty for `default`, else with a closing slash. */
export function directoryOf(id: string): string {
  return id === defaultNamespace ? '' : `namespaces/${id}/`;
}

/**
 * Why `name`, relative to the storage directory, cannot be a checkpoint's; null when it can. Nothing of the service's own may be
 * meant by it, and the name must be safe on every system. `reserved` names places of the service, with `*` at the end prefixes.
 */
export function nameFlaw(name: string, reserved: readonly string[]): string | null {
  if (loneSurrogate.test(name)) return 'it has half a surrogate pair';
  if (encoder.encode(name).length > longestNameBytes) return 'it is too long';
  const parts = name.split('/');
  for (const part of parts) {
    const flaw = partFlaw(part);
    if (flaw !== null) return flaw;
  }
  const folded = parts.map((part) => part.toLowerCase());
  const isLog = folded.some((part) => part.startsWith(ownPrefix));
  const isDirectory = folded[0] === 'namespaces' && !(folded.length > 2 && isNamespaceId(folded[1] as string));
  const isTaken = isLog || isDirectory || reserved.some((place) => isAt(folded.join('/'), place.toLowerCase()));
  return isTaken ? 'that place belongs to the service' : null;
}

function isAt(name: string, place: string): boolean {
  if (place.endsWith('*')) return name.startsWith(place.slice(0, -1));
  return name === place || name.startsWith(`${place}/`);
}

function partFlaw(part: string): string | null {
  if (part === '') return 'it has an empty part';
  if (part === '.' || part === '..') return 'it has a part of dots only';
  if (control.test(part)) return 'it has a control character';
  if (part.includes('\\') || part.includes(':')) return 'it has a backslash or a colon';
  if (part.endsWith('.') || part.endsWith(' ') || part.startsWith(' '))
    return 'a part begins or ends with a space or dot';
  if (device.test(part)) return `"${part}" names a device on some systems`;
  if (part.includes(temporaryMark)) return `"${temporaryMark}" marks files that are being written`;
  if (encoder.encode(part).length > longestPartBytes) return 'a part of it is too long';
  return null;
}

/** Where a namespace keeps what its log builds on when no save game does any more. */
export function baseNameOf(id: string, stamp: string): string {
  return `${directoryOf(id)}${ownPrefix}base-${stamp}`;
}

/** The prefix of all names of `baseNameOf`. */
export function basePrefixOf(id: string): string {
  return `${directoryOf(id)}${ownPrefix}base-`;
}

/** True when `file` is the primary `name` itself or one of its sidecars. */
export function isOwnFile(file: string, name: string): boolean {
  return file === name || file.startsWith(name + sidecarMark);
}

/** The primaries whose sidecar a file of this name would be, shortest first. */
export function primariesOver(name: string): string[] {
  const slash = name.lastIndexOf('/');
  const primaries: string[] = [];
  for (let at = name.indexOf(sidecarMark, slash + 2); at !== -1; at = name.indexOf(sidecarMark, at + 1)) {
    primaries.push(name.slice(0, at));
  }
  return primaries;
}

/** True for what may be a primary by its name: no log, no temporary file. */
export function mayBePrimary(name: string): boolean {
  const part = name.slice(name.lastIndexOf('/') + 1);
  return !part.startsWith(ownPrefix) && !part.includes(temporaryMark);
}

/** Hands out stamps for sibling names: binary UTC times, each above the one before. */
export class Stamps {
  private last = 0n;

  /** Above every stamp handed out and every one that `existing` names carry behind `name`. */
  next(nowMs: number, name: string, existing: readonly string[]): string {
    let stamp = utcMark + epochTicks + BigInt(Math.floor(nowMs)) * 10_000n;
    for (const other of existing) {
      const found = stampOf(other, name);
      if (found !== null && found > this.last) this.last = found;
    }
    if (stamp <= this.last) stamp = this.last + 1n;
    this.last = stamp;
    return `${name}${siblingMark}${stamp}`;
  }
}

/** The stamp in `<name>#<stamp>` or in one of that sibling's sidecars. */
function stampOf(file: string, name: string): bigint | null {
  if (!file.startsWith(name + siblingMark)) return null;
  const digits = /^\d{1,19}(?=_|$)/.exec(file.slice(name.length + 1))?.[0];
  if (digits === undefined) return null;
  const stamp = BigInt(digits);
  return stamp > lastStamp ? null : stamp;
}
