// Every offset and constant of linear memory, each derived from the one before. The host reads the same table through the
// export `layoutWord(index)` and checks it when it attaches. Nothing here touches memory.
//
//   0            1 KiB       64 KiB              1 MiB + 64 KiB    + 128 KiB
//   | never used | root block | page table (1 MiB) | value tables     | pages handed out by the allocator ... limit |
//
// The compiler folds addresses below 1 KiB into offsets, so they stay empty. All shared state hangs off the root block;
// a fresh memory is all zeros, and `coreInit` makes it a core.

/** Bumped whenever a shape in shared memory changes; host and core must agree. */
export const LAYOUT_VERSION: u32 = 1;

export const PAGE_SHIFT: u32 = 16;
export const PAGE_BYTES: usize = 1 << PAGE_SHIFT;
export const MAX_PAGES: u32 = 65536;

/** No element, no string, no key: the all-ones word. */
export const NONE: u32 = 0xffffffff;

// --- Root block --------------------------------------------------------------------------------------------------------
export const ROOT: usize = 1024;
export const ROOT_MAGIC: usize = ROOT; //                u32 ROOT_MAGIC_VALUE once initialised
export const ROOT_MAGIC_VALUE: u32 = 0x31435241; // "ARC1"
export const ROOT_VERSION: usize = ROOT_MAGIC + 4; //     u32 LAYOUT_VERSION
export const ROOT_PAGE_LIMIT: usize = ROOT_VERSION + 4; // u32 pages the allocator may use
export const ROOT_PAGE_TOP: usize = ROOT_PAGE_LIMIT + 4; // u32 first page never handed out yet
export const ROOT_PAGES_USED: usize = ROOT_PAGE_TOP + 4; // u32 pages handed out now
export const ROOT_FREE_HINT: usize = ROOT_PAGES_USED + 4; // u32 page number below which no free page is
export const ROOT_EPOCH: usize = ROOT_FREE_HINT + 4; //   u32 current epoch, starts at 1, moved by the writer
export const ROOT_CANCEL: usize = ROOT_EPOCH + 4; //      u32 stop word of an instance that has no reader slot: the writer's
export const ROOT_INTERN: usize = ROOT_CANCEL + 4; //     u32 address of the intern state
export const ROOT_RETIRED: usize = ROOT_INTERN + 4; //    u32 first retire chunk
export const ROOT_RETIRED_TAIL: usize = ROOT_RETIRED + 4; // u32 last retire chunk
export const ROOT_RETIRED_BYTES: usize = ROOT_RETIRED_TAIL + 4; // u32 bytes waiting for readers
export const ROOT_GRAPHS: usize = ROOT_RETIRED_BYTES + 4; // u32 graphs alive
export const ROOT_FAIL_AFTER: usize = ROOT_GRAPHS + 4; // u32 test hook: 0 off, n = the n-th allocation from now fails
export const ROOT_RETIRED_SPARE: usize = ROOT_FAIL_AFTER + 4; // u32 entries that fit behind the last one without a new chunk
export const ROOT_RETIRED_COUNT: usize = ROOT_RETIRED_SPARE + 4; // u32 entries waiting for readers
export const ROOT_READER_TOP: usize = ROOT_RETIRED_COUNT + 4; // u32 one above the highest reader slot ever attached
export const ROOT_PAGE_RESERVE: usize = ROOT_READER_TOP + 4; // u32 pages of the limit that only the system heap may use
export const ROOT_CASE_TABLE: usize = ROOT_PAGE_RESERVE + 4; // u32 address of the upper-case table, 0 before the first text scan
export const ROOT_PAGE_LOCK: usize = ROOT_CASE_TABLE + 4; // u32 1 while a thread takes or gives whole pages
export const ROOT_PAGE_HEADROOM: usize = ROOT_PAGE_LOCK + 4; // u32 pages above the limit that can be lent
export const ROOT_PAGE_LENT: usize = ROOT_PAGE_HEADROOM + 4; // u32 of those, pages that may be taken now
export const ROOT_KEEPS: usize = ROOT_PAGE_LENT + 4; //   u32 address of the first keep (graph/keeps.ts), 0 = none
export const ROOT_HEAPS: usize = ROOT + 256; //           HEAP_COUNT addresses (u32) of heap headers, 0 = free
export const HEAP_COUNT: u32 = 8192; //                   one for the system, one a graph, one an index; a trim takes both twice
export const ROOT_READERS: usize = ROOT_HEAPS + 4 * HEAP_COUNT;
export const READER_BYTES: usize = 64; //                 one cache line a reader slot: see READER_EPOCH
export const READER_COUNT: u32 = 64;
export const ROOT_END: usize = ROOT_READERS + READER_BYTES * <usize>READER_COUNT;

// --- One reader slot ---------------------------------------------------------------------------------------------------
export const READER_EPOCH: usize = 0; //                  u32 announced epoch, 0 = idle
export const READER_STOP: usize = READER_EPOCH + 4; //    u32 0 = go on, 1 = cancelled, 2 = its time is over (stop.ts)
export const READER_SHARE: usize = READER_STOP + 4; //    u32 per cent of its time that the reader may work, 0 = all (stop.ts)
export const READER_ATTACHED: usize = READER_SHARE + 4;  // u32 1 = the slot belongs to a reader

// --- Heap header: one for each heap; heap 0's lies in the root page, the others are blocks of heap 0 --------------------
export const HEAP_ID: usize = 0; //                       u32
export const HEAP_PAGES: usize = HEAP_ID + 4; //          u32 pages held
export const HEAP_BYTES: usize = HEAP_PAGES + 4; //       PURPOSE_COUNT x u32 bytes in blocks handed out
export const HEAP_ROOM: usize = 64; //                    BLOCK_CLASS_COUNT x u16 first page with room, 0 = none
export const BLOCK_CLASS_COUNT: u32 = 70;
export const HEAP_HEADER_BYTES: usize = HEAP_ROOM + 2 * <usize>BLOCK_CLASS_COUNT;
export const SYSTEM_HEAP: usize = (ROOT_END + 63) & ~63;

// --- Page table: 16 bytes for each 64 KiB page -------------------------------------------------------------------------
export const PAGE_TABLE: usize = PAGE_BYTES;
export const PAGE_ENTRY_BYTES: usize = 16;
export const PAGE_TABLE_BYTES: usize = PAGE_ENTRY_BYTES * <usize>MAX_PAGES;

export const PAGE_KIND: usize = 0; //                     u8, one of PAGE_FREE ...
export const PAGE_CLASS: usize = 1; //                    u8 block class
export const PAGE_HEAP: usize = 2; //                     u16 heap that holds the page
export const PAGE_LIVE: usize = 4; //                     u16 blocks handed out
export const PAGE_FIRST_FREE: usize = 6; //               u16 offset / 8 of the first released block, NO_BLOCK = none
export const PAGE_BUMP: usize = 8; //                     u16 offset / 8 of the next block never used
export const PAGE_UNITS: usize = 10; //                   u16 block bytes / 8
export const PAGE_NEXT: usize = 12; //                    u16 next page of this heap and class with room, 0 = none
export const PAGE_PREVIOUS: usize = 14; //                u16 the one before, 0 = this is the first
export const PAGE_RUN_PAGES: usize = 8; //                u32 (run head only) pages of the run, head included
export const NO_BLOCK: u32 = 0xffff;

export const PAGE_FREE: u32 = 0;
export const PAGE_BLOCKS: u32 = 1; //                     small blocks of one class
export const PAGE_RUN_HEAD: u32 = 2;
export const PAGE_RUN_TAIL: u32 = 3;

// --- Value tables (powers of ten for number text), written once by coreInit -----------------------------------------------
export const VALUE_TABLES: usize = PAGE_TABLE + PAGE_TABLE_BYTES;
export const VALUE_TABLES_BYTES: usize = 2 * PAGE_BYTES;

/** First page the allocator may hand out. */
export const FIRST_PAGE: u32 = <u32>((VALUE_TABLES + VALUE_TABLES_BYTES) >> PAGE_SHIFT);

// --- Purposes of bytes, as reported by memoryBytes(purpose) -----------------------------------------------------------------
export const PURPOSE_ELEMENTS: u32 = 0;
export const PURPOSE_ADJACENCY: u32 = 1;
export const PURPOSE_PROPERTIES: u32 = 2;
export const PURPOSE_STRINGS: u32 = 3;
export const PURPOSE_INDEXES: u32 = 4;
export const PURPOSE_PROJECTIONS: u32 = 5;
export const PURPOSE_SCRATCH: u32 = 6;
export const PURPOSE_SYSTEM: u32 = 7;
export const PURPOSE_COUNT: u32 = 8;
