// The settings of what goes past one machine: replicas, backups, the cluster.

import { integer, optionalText, positive, secret } from './kinds.ts';
import { liveForNewWork, never } from './writing.ts';

export const cluster = {
  'Backup:Url': never(
    'R4',
    optionalText(
      'Where backups go: file:///directory, or s3://bucket/prefix?endpoint=https://host&region=name; without it there are none.',
    ),
  ),
  'Backup:AccessKeyId': never('R1', secret('Name of the key to the bucket.')),
  'Backup:SecretAccessKey': never('R1', secret('The key to the bucket.')),
  'Backup:MaxPutsPerSecond': positive(2, 'Objects that the backup of one namespace puts in a second.', 1000),
  'Backup:BaseEveryMinutes': positive(360, 'A whole copy of the graph follows the one before after so long.', 525_600),
  'Backup:KeepHours': positive(168, 'States so old can still be restored.', 876_000),
  'Log:TailMegabytes': integer(
    64,
    1,
    4096,
    'MiB of the newest commits that a namespace keeps in memory for its backup and its replicas; who falls behind further begins anew.',
  ),
  'Replica:MaxWaitSeconds': liveForNewWork(positive(5, 'Longest wait for a commit that a request names.', 3600)),
};
