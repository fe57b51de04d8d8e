// The bodies of capabilities that have nothing behind them yet, for the document: a client sees what it would send. They are not
// read, because the refusal comes first.

import { z } from 'zod';

export const anyObject = z.looseObject({}).meta({ id: 'IntegrationRequest', description: 'Handed on as it is.' });
