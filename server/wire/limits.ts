/** Limits that the server and the interface need, with their units (docs/specification.md 9). Others: server-limits.ts. */
export const LIMITS = {
  /** The speed of a transfer is the mean of its last samples; the interval of the samples, and their number. */
  speedSampleMs: 1000,
  speedSamples: 5,
  /** Defaults of the interface for resumable uploads. */
  tusChunkDefaultBytes: 10 * 1024 * 1024,
  tusRetryDefault: 5,
  /** The longest duration of a share, in its unit. */
  shareDurationMax: 2_147_483_647,
  /** Folders that an event stream reports beside its own. */
  alsoWatchedMax: 4,
  /** Records on one page of the audit log. */
  auditPage: 100,
  auditPageMax: 1000,
  /** Beyond either limit a copy, move or deletion becomes a job with a plan. */
  jobEntries: 200,
  jobBytes: 256 * 1024 * 1024,
  /** Items of one job, without the content of folders. */
  jobItemsMax: 10_000,
  /** The polling interval of jobs: of the interface, and of requests of the command line. */
  jobsPollMs: 1500,
  /** Characters in one form field. */
  textFieldMax: 4096,
  /** Rows in one list of a form: rules, commands. */
  listMax: 1000,
  /** Characters of the message with a public share. */
  shareMessageMax: 500,
  /** Characters of the answer to “Forgot your password?”. */
  passwordHelpMax: 500,
  appPasswordNameMax: 100,
  /** The days until a second factor is required, unless administrators set another day. */
  secondFactorDays: 14,
  /** Characters of a code of a second factor, with the spaces that people type. */
  codeMax: 100,
  passkeyNameMax: 100,
  /** Global rules, and rules of one user. */
  rulesMax: 100,
  /** Characters of an expression. */
  ruleExpressionMax: 256,
  /** Steps of a compiled expression; each may be evaluated for each character of a path. */
  ruleProgramMax: 400,
  passwordLengthMax: 1024,
  /** The largest number of retries in the settings. */
  retryMax: 100,
} as const
