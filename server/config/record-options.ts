/** The options for the audit log, the log and the metrics. */
import type { Option } from './option.ts'

export const RECORD_OPTIONS = [
  {
    key: 'auditDays',
    type: 'number',
    default: '90',
    range: [1, 3650],
    help: 'the number of days that the audit record is kept',
    isLive: false,
  },
  {
    key: 'auditEntries',
    type: 'number',
    default: '500000',
    range: [0, 100_000_000],
    help: 'the maximum number of entries in the audit record; 0 turns it off',
    isLive: false,
  },
  {
    key: 'auditSize',
    type: 'size',
    default: '256MB',
    range: [2 ** 20, 2 ** 50],
    help: 'the maximum size of the audit record; the oldest entries are deleted first',
    isLive: false,
  },
  {
    key: 'log',
    type: 'text',
    short: 'l',
    value: 'target',
    default: 'stderr',
    help: 'where refused and failed requests are logged: stderr, stdout, off, or a file',
    isLive: false,
  },
  {
    key: 'logFormat',
    type: 'text',
    value: 'format',
    default: 'text',
    choices: ['text', 'json'],
    help: 'text: lines as File Browser writes them; json: one JSON object per line',
    isLive: false,
  },
  {
    key: 'metrics',
    type: 'text',
    value: 'address',
    default: '',
    help: 'the address on which Prometheus reads /metrics, such as 127.0.0.1:9100; off when empty',
    isLive: false,
  },
] as const satisfies readonly Option[]
