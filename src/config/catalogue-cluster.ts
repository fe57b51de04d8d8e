// The settings of what goes past one machine: replicas, backups, the cluster.

import { choice, flag, integer, optionalText, positive, secret, text } from './kinds.ts';
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
  'Cluster:Url': never(
    'R1',
    secret(
      'Where a cluster keeps its log: postgres://user:password@host/database, s3://bucket/prefix?endpoint=https://host&region=name, or file:///directory. The nodes that name the same are one service.',
    ),
  ),
  'Cluster:Name': never('R4', text('arcwise', 'Which of the clusters in that database or bucket.')),
  'Cluster:AccessKeyId': never('R1', secret('Name of the key to the cluster’s bucket.')),
  'Cluster:SecretAccessKey': never('R1', secret('The key to the cluster’s bucket.')),
  'Cluster:CheckpointMegabytes': positive(
    64,
    'MiB of log behind which the writer of a cluster writes checkpoints, from which a take-over opens; the log before them is deleted.',
    65_536,
  ),
  'Cluster:AdvertiseUrl': never('R4', optionalText('Where the other nodes find this one; missing: where it listens.')),
  'Cluster:LeaseMilliseconds': integer(
    2000,
    200,
    600_000,
    'A writer that has not been heard of for so long may be replaced.',
  ),
  'Replica:Serve': never(
    'R5',
    flag(false, 'Whether replicas may follow this service (GET /log); everything is logged then.'),
  ),
  'Replica:Of': never(
    'R4',
    optionalText(
      'The writer that this service is a replica of, by its URL, or a backup of it, as Backup:Url, or cluster: for the logs of Cluster:Url; it keeps nothing itself.',
    ),
  ),
  'Replica:ApiKey': never('R1', secret('Key that the writer asks for.')),
  'Replica:WriterUrl': never(
    'R4',
    optionalText('Where writes belong, for a replica of a backup or behind a proxy; missing: Replica:Of.'),
  ),
  'Replica:Writes': never(
    'R5',
    choice(
      ['Redirect', 'Refuse'],
      'Redirect',
      'What a replica answers to writes: 307 with the place at the writer, or 403.',
    ),
  ),
  'Replica:VerifyMinutes': integer(
    10,
    0,
    525_600,
    'How often a replica compares the hash of its state with its writer’s; 0: never.',
  ),
  'Replica:MaxWaitSeconds': liveForNewWork(positive(5, 'Longest wait for a commit that a request names.', 3600)),
};
