/** What server and interface agree on, and the limits of the server, named, with their units (docs/specification.md 9). */
export const LIMITS = {
  /** A speed is the mean over the last samples, taken this far apart. */
  speedSampleMs: 1000,
  speedSamples: 5,
  tusChunkDefaultBytes: 10 * 1024 * 1024,
  tusRetryDefault: 5,
  shareDurationMax: 2_147_483_647,
  /** The longest message a client may send over a socket. */
  socketMessageMaxBytes: 64 * 1024,
  /** Messages of one socket, and their characters, that wait for the one before them. */
  socketWaitingMax: 1024,
  socketWaitingMaxChars: 1024 * 1024,
  /** What waits for a client that does not read; beyond it the socket closes. */
  socketBacklogMaxBytes: 2 * 1024 * 1024,
  /** Changes within this are told as one. */
  watchPauseMs: 200,
  /** Acts on one page of the record. */
  auditPage: 100,
  auditPageMax: 1000,
  /** Changes of one session or user that are undone at once. */
  undoAllMax: 10_000,
  /** Levels of a folder that is copied, or measured in the trash. */
  treeDepthMax: 512,
  /** Things in the trash and earlier versions, of everybody. */
  keptThingsMax: 200_000,
  /** Beyond either a copy, move or removal is a job, with a plan first. */
  jobEntries: 200,
  jobBytes: 256 * 1024 * 1024,
  /** Things in one job; what is in folders does not count. */
  jobItemsMax: 10_000,
  /** Entries that a plan counts; beyond it says that there are more. */
  planEntriesMax: 100_000,
  /** Things that a plan shows, and failed items of a job. */
  planItemsShown: 100,
  /** Progress of jobs is told not more often. */
  jobsPauseMs: 400,
  /** The interface looks at running jobs this often where nobody tells. */
  jobsLookMs: 1500,
  /** Jobs that are shown, and kept of one person when they are over. */
  jobsShown: 50,
  jobsKept: 100,
  /** Entries of an archive that is extracted, and bytes of their names where they lie together. */
  extractEntriesMax: 100_000,
  extractNamesMaxBytes: 32 * 1024 * 1024,
  /** So much may come out of any archive; beyond it no more than so many times its own size. */
  extractFreeBytes: 256 * 1024 * 1024,
  extractRatioMax: 200,
  /** Memory that one block of an xz may ask for: `xz -9` asks for as much. */
  extractWindowMaxBytes: 64 * 1024 * 1024,
  /** Entries of an archive, or of a list of checksums, that fail; with more of them the whole fails. */
  partsFailedMax: 1000,
  /** Characters of their names and reasons. */
  partsFailedMaxChars: 512 * 1024,
  /** Of a list of checksums. */
  sumsLineMaxBytes: 64 * 1024,
  /** Entries that are extracted as one change of the journal. */
  extractBatch: 1000,
  /** Bytes of a compressed archive that a plan reads; beyond it says that there is more. */
  planArchiveBytes: 256 * 1024 * 1024,
  textMaxBytes: 10 * 1024 * 1024,
  /** Names in the query of one archive; the header of a request holds few more. */
  archiveNamesMax: 2000,
  /** A zip lists at its end all that it holds, which is kept in memory until then. */
  zipEntriesMax: 100_000,
  zipNamesMaxBytes: 16 * 1024 * 1024,
  /** Of one request with many files, and of one file in it. */
  batchFilesMax: 500,
  batchMaxBytes: 64 * 1024 * 1024,
  batchFileMaxBytes: 1024 * 1024,
  /** Of the Upload-Metadata header. */
  uploadMetadataMaxBytes: 8 * 1024,
  /** Finished uploads that are remembered of one person, for a client that missed the last answer. */
  finishedUploadsKept: 1000,
  jsonBodyMaxBytes: 1024 * 1024,
  /** What is read and dropped of a refused body, so that its sender hears the answer (docs/api.md 1.17). */
  refusedBodyReadBytes: 32 * 1024 * 1024,
  /** Characters in one field of a form. */
  textFieldMax: 4096,
  /** Rows in one list of a form: rules, commands. */
  listMax: 1000,
  /** Sessions of one person that live at a time; the one seen longest ago makes room. */
  sessionsMax: 1000,
  /** Public links of one person. */
  sharesMax: 10_000,
  /** Bytes of the paths of one person's public links. */
  sharePathsMaxBytes: 4 * 1024 * 1024,
  /** Rules for everybody, and rules of one person. */
  rulesMax: 100,
  ruleExpressionMax: 256,
  /** Steps of a compiled expression: each may be looked at for each character of a path. */
  ruleProgramMax: 400,
  passwordLengthMax: 1024,
  /** Characters of a user name, wherever one enters. */
  usernameMax: 128,
  /** A form of somebody who is not signed in: a name, a password, a captcha. */
  credentialsMaxBytes: 8 * 1024,
  retryMax: 100,
} as const
