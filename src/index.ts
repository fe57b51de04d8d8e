// `arcwise`: a service put together from parts that any home can offer. Homes that bring their own parts have entries of their own
// (`arcwise/node`).

export type { Settings } from './config/catalogue.ts';
export type { Configuration } from './config/configuration.ts';
export { InvalidSetting } from './config/settings.ts';
export type { CoreBinary } from './core/instance.ts';
export type { PropertyText, WriteOperation, WriteRefusal } from './core/requests.ts';
export { type Slice, type SliceLength, type Slices, slicesByCount, slicesByTime } from './core/slices.ts';
export { CoreStatus } from './core/status.ts';
export { TypeId } from './core/values.ts';
export { type ElementObject, type EmbeddedGraph, type Transacted, TransactionRefused } from './embedded-graph.ts';
export type { Clock, Logger } from './engine/logger.ts';
export type { Direction, ElementKind, Engine, GraphEngine, NamespaceInfo, WriteOutcome } from './engine/types.ts';
export { engineVersion } from './engine/version.ts';
export type { HttpPlatform } from './http/platform.ts';
export { webPlatform } from './http/web-platform.ts';
export { InvalidOperation } from './operation-check.ts';
export {
  type ArcwiseService,
  createService,
  type ServiceHome,
  type ServiceStorage,
  type ServiceThreads,
} from './service.ts';
export { type SettingValues, settingsOf } from './settings-of.ts';
export { MemoryBlobStore, MemoryCheckpointStore, MemoryLogStore } from './storage/memory-store.ts';
export type { BlobStore, CheckpointStore, LogStore } from './storage/types.ts';
export { openWrittenSettings } from './written-settings.ts';
