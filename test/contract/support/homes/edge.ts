// The home of edge runtimes: one object of the local runtime that holds every namespace. What only other homes have a setting for is left out.

import { withStandingClock } from '../../../edge/support/standing-clock.ts';
import { Workerd, workerdPath } from '../../../edge/support/workerd.ts';
import { edgeSkips } from './edge-skips.ts';
import type { Home, HomeService, ServiceSettings } from './home.ts';

/** The runtime waits for every stream to end before it does. */
const patienceMs = 10_000;

class EdgeService implements HomeService {
  private workerd: Workerd | null = null;

  get url(): string {
    return this.workerd?.url ?? '';
  }

  get log(): string {
    return this.workerd?.log ?? '';
  }

  async start(settings: ServiceSettings): Promise<void> {
    if (this.workerd !== null) await this.workerd.start({ ARCWISE_SETTINGS: JSON.stringify(settings) });
    else {
      const main = process.env.CONTRACT_CLOCK === 'standing' ? { main: withStandingClock() } : {};
      // What a volatile graph holds would be gone behind a test that asks nothing for ten seconds.
      const awake = settings['Durability:Volatile'] === true;
      this.workerd = await Workerd.start({ settings, awake, bindings: { ARCWISE_OBJECTS: 'service' }, ...main });
    }
  }

  async end(how: 'stop' | 'kill'): Promise<void> {
    const { workerd } = this;
    if (how === 'kill') await workerd?.end('SIGKILL');
    else await workerd?.end('SIGTERM', patienceMs);
  }

  async remove(): Promise<void> {
    await this.workerd?.stop();
  }
}

export const edgeHome: Home = {
  name: 'edge',
  missing: workerdPath === null ? 'there is no workerd for this platform' : null,
  skips: edgeSkips,
  open: () => new EdgeService(),
};
