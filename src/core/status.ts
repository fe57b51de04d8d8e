// The core's status codes (assembly/status.ts) and what they mean to the host.

export const CoreStatus = {
  ok: 0,
  notFound: 1,
  noMemory: 2,
  badValue: 3,
  duplicateKey: 4,
  tooManyIds: 5,
  badTransaction: 6,
  arenaTooSmall: 7,
  wrongKind: 8,
  stopped: 9,
  limitMet: 10,
  notLinked: 11,
} as const;

export type CoreStatus = (typeof CoreStatus)[keyof typeof CoreStatus];
