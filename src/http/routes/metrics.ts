// The scrape: `GET /metrics`, there only when settings ask for it and the home can write what Prometheus reads.

import { z } from 'zod';
import { familiesOf } from '../../telemetry/families.ts';
import type { PreparedService } from '../exchange.ts';
import { type Route, route } from '../route.ts';

/** Empty: there is no such path. */
export function metricsRoutes({ engine, meter, platform, settings }: PreparedService): readonly Route[] {
  const { scrapeFormat } = platform;
  if (!meter || scrapeFormat === undefined || !settings['Observability:Prometheus:Enabled']) return [];
  const { contentType } = scrapeFormat;
  const text = { description: 'Every instrument.', schema: z.string(), mediaTypes: [contentType] };
  return [
    route({
      method: 'GET',
      path: '/metrics',
      scope: 'service',
      tag: 'Admin',
      hidden: true,
      anonymous: !settings['Observability:Prometheus:RequireApiKey'],
      summary: 'What the service has counted and measured, in the text format of Prometheus.',
      answers: { 200: text },
      serve: async (exchange) => {
        const families = await familiesOf(meter, engine.list(), () => platform.pause());
        return exchange.made(scrapeFormat.write(families), contentType);
      },
    }),
  ];
}
