// The library's objects with hooks: storage that fails, or ends the object, at its n-th call; evictions; objects that are not the ones their
// names lead to. What hooks count belongs to the isolate, which outlives its objects.

import library, { ArcwiseObject as LibraryObject } from '../../../runtime-edge/index.ts';
import type {
  Environment,
  ObjectId,
  ObjectNamespace,
  ObjectState,
  ObjectStorage,
} from '../../../runtime-edge/platform.ts';

interface Hooks {
  /** Calls of storage since it was set. */
  calls: number;
  /** The call of this number and all behind it throw, or end the object. 0: none does. */
  at: number;
  how: 'throw' | 'abort';
  /** Objects that were made. */
  objects: number;
}

const hooks: Hooks = { calls: 0, at: 0, how: 'throw', objects: 0 };

/** The newest memory of WebAssembly that an object has begun. */
let newestMemory: WebAssembly.Memory | null = null;
WebAssembly.Memory = class extends WebAssembly.Memory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    newestMemory = this;
  }
};

/** What tests see of the runtime's own. */
interface AbortableState extends ObjectState {
  abort(reason: string): void;
}

function storageWithHooks(state: AbortableState): ObjectStorage {
  const { storage } = state;
  const call = (): void => {
    hooks.calls++;
    if (hooks.at === 0 || hooks.calls < hooks.at) return;
    if (hooks.how === 'abort') state.abort('The processor time is used up.');
    throw new Error('The storage fails.');
  };
  return {
    sql: {
      exec: (statement, ...values) => {
        call();
        return storage.sql.exec(statement, ...values);
      },
    },
    transactionSync: (run) => storage.transactionSync(run),
    sync: async () => {
      call();
      await storage.sync();
    },
    deleteAll: async () => {
      call();
      await storage.deleteAll();
    },
  };
}

/** Commands come in a header. */
const hookHeader = 'x-hook';

export class ArcwiseObject extends LibraryObject {
  private readonly own: AbortableState;

  constructor(state: AbortableState, environment: Environment) {
    super(
      {
        id: state.id,
        storage: storageWithHooks(state),
        waitUntil: (promise) => state.waitUntil(promise),
        acceptWebSocket: (socket) => state.acceptWebSocket(socket),
        getWebSockets: () => state.getWebSockets(),
      },
      environment,
    );
    this.own = state;
    hooks.objects++;
  }

  override async fetch(request: Request): Promise<Response> {
    const [command, value = ''] = (request.headers.get(hookHeader) ?? '').split(' ');
    switch (command) {
      case 'evict':
        this.own.abort('It is evicted.');
        return new Response();
      case 'sql':
        return new Response(JSON.stringify(this.own.storage.sql.exec(decodeURIComponent(value)).toArray()));
      default:
        return super.fetch(request);
    }
  }
}

/** An object whose id is made of no name, or of another one, is told a name. */
function misaddressed({ ARCWISE }: Environment, request: Request): Promise<Response> {
  const { newUniqueId } = ARCWISE as ObjectNamespace & { newUniqueId(): ObjectId };
  return ARCWISE.get(newUniqueId.call(ARCWISE)).fetch(request);
}

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    const [command, value = ''] = (request.headers.get(hookHeader) ?? '').split(' ');
    switch (command) {
      case 'throw':
      case 'abort':
        Object.assign(hooks, { calls: 0, at: Number(value), how: command });
        return new Response();
      case 'hooks':
        return new Response(JSON.stringify({ ...hooks, memoryBytes: newestMemory?.buffer.byteLength ?? 0 }));
      case 'unnamed':
        return misaddressed(environment, request);
      case 'scheduled':
        await library.scheduled({ scheduledTime: Number(value) }, environment);
        return new Response();
      default:
        return library
          .fetch(request, environment)
          .catch((error: Error) => new Response(error.message, { status: 599 }));
    }
  },
};
