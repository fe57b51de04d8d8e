// The API key: in the configured header, or as a bearer token when that header is absent. Keys are compared as digests, all bytes
// of them, so that the time of an answer tells nothing about the key.

import type { Settings } from '../config/catalogue.ts';
import type { Exchange } from './exchange.ts';
import type { HttpPlatform } from './platform.ts';
import { Problem } from './problems.ts';

const defaultHeader = 'x-api-key';

/** Longest credential worth a digest; a longer one is not the key's. */
const maxCredentialLength = 16_384;

export class Authentication {
  readonly required: boolean;
  private readonly platform: HttpPlatform;
  private readonly headerName: string;
  private readonly keyDigest: Uint8Array;

  constructor(settings: Settings, platform: HttpPlatform) {
    const key = settings['Security:ApiKey'];
    const header = settings['Security:ApiKeyHeader'].trim();
    this.platform = platform;
    this.required = key !== null;
    this.headerName = header === '' ? defaultHeader : header.toLowerCase();
    this.keyDigest = platform.digest(key ?? '');
  }

  /** Whether the request carries the configured key; false when none is configured. */
  check(exchange: Exchange): boolean {
    if (!this.required) return false;
    const credential = exchange.header(this.headerName) ?? bearerToken(exchange.header('authorization'));
    if (credential === null || credential.length > maxCredentialLength) return false;
    return sameBytes(this.platform.digest(asUtf8(credential)), this.keyDigest);
  }

  refusal(): Problem {
    const detail = `This service needs its API key in the header ${this.headerName} or as a bearer token.`;
    return new Problem('unauthorized', detail, {}, [['www-authenticate', 'Bearer']]);
  }
}

function bearerToken(header: string | null): string | null {
  return /^bearer +(\S.*)$/i.exec(header ?? '')?.[1]?.trimEnd() ?? null;
}

/** Header values arrive with a character a byte; a client that sends a key in UTF-8 means the text. */
function asUtf8(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i++) difference |= (left[i] ?? 0) ^ (right[i] as number);
  return difference === 0;
}
