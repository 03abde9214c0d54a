/** The options for commands and their limits. */
import type { Option } from './option.ts'

export const COMMAND_OPTIONS = [
  {
    key: 'exec',
    type: 'flag',
    default: 'false',
    help: 'allow commands, both of users with the permission and on events',
    isLive: false,
  },
  {
    key: 'execUnconfined',
    type: 'flag',
    default: 'false',
    help: 'run commands without isolation: they reach everything that the server can',
    isLive: false,
  },
  {
    key: 'execNetwork',
    type: 'flag',
    default: 'false',
    help: 'allow commands to use the network',
    isLive: false,
  },
  {
    key: 'execTimeout',
    type: 'duration',
    default: '60s',
    range: [1, 86_400],
    help: 'the time until a command is stopped; an idle terminal has thirty times as long',
    isLive: false,
  },
  {
    key: 'execMemory',
    type: 'size',
    default: '512MB',
    range: [64 * 2 ** 20, 2 ** 50],
    help: 'the maximum memory of a command with all processes it starts',
    isLive: false,
  },
  {
    key: 'execProcesses',
    type: 'number',
    default: '64',
    range: [1, 100_000],
    help: 'the maximum number of processes of a command',
    isLive: false,
  },
  {
    key: 'execOutput',
    type: 'size',
    default: '10MB',
    range: [1024, 2 ** 30],
    help: 'the maximum output of a command',
    isLive: false,
  },
] as const satisfies readonly Option[]
