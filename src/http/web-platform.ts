// What HTTP needs of a home, made of web standards and SHA-256.

import { sha256 } from '@noble/hashes/sha2.js';
import type { HttpPlatform } from './platform.ts';
import { type WebPlatformOptions, webPlatformWith } from './web-parts.ts';

const encoder = new TextEncoder();

export function webPlatform(options: WebPlatformOptions): HttpPlatform {
  return webPlatformWith((text) => sha256(encoder.encode(text)), options);
}
