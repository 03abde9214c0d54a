/** The options for imports from other servers. */
import type { Option } from './option.ts'

export const IMPORT_OPTIONS = [
  {
    key: 'importHosts',
    type: 'list',
    value: 'hosts',
    default: '',
    help: 'hosts that files may be imported from by their address, such as example.com, *.example.com or * for any; none when empty',
    isLive: false,
  },
  {
    key: 'importLimit',
    type: 'size',
    default: '2GB',
    range: [1, 2 ** 50],
    help: 'the maximum size of an imported file',
    isLive: false,
  },
] as const satisfies readonly Option[]
