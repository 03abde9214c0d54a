/** Limits that only the server needs. They are apart from `LIMITS`, so that the page does not load them. */
export const SERVER_LIMITS = {
  /** Maximum length of a WebSocket message from a client. */
  socketMessageMaxBytes: 64 * 1024,
  /** App passwords of one user. */
  appPasswordsMax: 100,
  /** Passkeys of one user. */
  passkeysMax: 20,
  /** Limits of queued messages of one socket, in number and characters. */
  socketWaitingMax: 1024,
  socketWaitingMaxChars: 1024 * 1024,
  /** Limit of unsent data to a slow client; beyond it the socket is closed. */
  socketBacklogMaxBytes: 2 * 1024 * 1024,
  /** Requests that start in one turn of the event loop; further ones wait for the next. */
  requestsPerTurn: 64,
  /** Changes within this time are reported once. */
  watchPauseMs: 200,
  /** Maximum depth of a folder that is copied, or measured in the trash. */
  treeDepthMax: 512,
  /** Items in the trash, including versions, of all users. */
  trashItemsMax: 200_000,
  /** How long a job runs while jobs of other users wait. */
  jobTurnMs: 30_000,
  /** After this time a job that cannot be interrupted releases its permit. */
  jobReleasePermitMs: 60_000,
  /** Entries that a plan counts; with more it is partial. */
  planEntriesMax: 100_000,
  /** Items in a plan's list, and failed items in a job's list. */
  planItemsShown: 100,
  /** Minimum interval of progress reports. */
  jobsPauseMs: 400,
  /** How often it is looked whether another server that shares the database has ended, whose jobs go on here. */
  takeOverEveryMs: 10_000,
  /** Jobs in a list, and finished jobs kept for each user. */
  jobsShown: 50,
  jobsKept: 100,
  /** Entries of an archive to extract; and bytes of the central directory of a zip, which has their names. */
  extractEntriesMax: 100_000,
  extractNamesMaxBytes: 32 * 1024 * 1024,
  /** Extracted size that is always allowed; beyond it the limit is a multiple of the archive's size. */
  extractFreeBytes: 256 * 1024 * 1024,
  extractRatioMax: 200,
  /** Memory for one xz block: as much as `xz -9` needs. */
  extractWindowMaxBytes: 64 * 1024 * 1024,
  /** Failed entries of an archive or checksum list; with more the whole item fails. */
  partsFailedMax: 1000,
  /** Total length of their names and messages. */
  partsFailedMaxChars: 512 * 1024,
  /** Length of a line in a checksum list. */
  sumsLineMaxBytes: 64 * 1024,
  /** Entries that are extracted as one change of the journal. */
  extractBatch: 1000,
  /** Unpacked bytes that a plan reads of an archive without an index; with more it is partial. */
  planArchiveBytes: 256 * 1024 * 1024,
  /** The list of an archive's content: after this time, or this many extracted bytes, it is partial. */
  archiveListMs: 10_000,
  archiveListBytes: 2 * 1024 * 1024 * 1024,
  /** A partial list is read again after this time. */
  archivePartialMs: 60_000,
  /** Files and folders of all lists in memory. */
  archiveListsEntries: 100_000,
  /** Time until the first byte of a file in an archive. */
  archiveFileMs: 60_000,
  /** Pictures and videos of a folder in one response, and the time limit for it. */
  mediaFolderFiles: 1000,
  mediaFolderMs: 2000,
  /** Larger files are not shown as text. */
  textMaxBytes: 10 * 1024 * 1024,
  /** Ranges of a file in one request. */
  rangesMax: 100,
  /** Names in the query of one archive; request headers cannot hold many more. */
  archiveNamesMax: 2000,
  /** Entries of a zip, whose directory is in memory until the end. */
  zipEntriesMax: 100_000,
  zipNamesMaxBytes: 16 * 1024 * 1024,
  /** Files of one batch request, and the size of each. */
  batchFilesMax: 500,
  batchMaxBytes: 64 * 1024 * 1024,
  batchFileMaxBytes: 1024 * 1024,
  /** Size of the Upload-Metadata header. */
  uploadMetadataMaxBytes: 8 * 1024,
  /** Finished uploads that are remembered of one user, for a client that missed the last response. */
  finishedUploadsKept: 1000,
  jsonBodyMaxBytes: 1024 * 1024,
  /** What is read and dropped of a refused body, so that its sender receives the response (docs/api.md 1.17). */
  refusedBodyReadBytes: 32 * 1024 * 1024,
  /** Sessions of one user; a new one ends the least recently used. */
  sessionsMax: 1000,
  /** Summing up the space of a folder: time limit. */
  spaceMs: 60_000,
  /** The files that are compared for the same content: their data takes about 1 KiB each. */
  sameContentFilesMax: 200_000,
  /** Finding by name: time limit, results that can be shown, and the best ones, which are ranked by their date too. */
  findMs: 3000,
  findCandidates: 5000,
  findRanked: 200,
  /** Finding in text files: time limit, bytes in total and for each file, results, and minimum length of a word. */
  findTextMs: 4000,
  findTextBytes: 64 * 1024 * 1024,
  findTextFileBytes: 256 * 1024,
  findTextHits: 20,
  /** Files without a preview that are remembered, and for how long. */
  previewFailures: 10_000,
  previewFailureMs: 60 * 60_000,
  /** Favourite folders of one user, and the total length of their paths. */
  favouritesMax: 100,
  favouritesMaxChars: 64 * 1024,
  /** Recent files in the list, and audit records that are searched for them. */
  recentFiles: 20,
  recentRecords: 200,
  /** Validity of invitations in days, and open invitations at a time. */
  invitationDays: 7,
  invitationDaysMax: 365,
  invitationsMax: 1000,
  /** Users that are checked for the list of who can open a file. */
  accessUsersMax: 100,
  /** Public shares of one user. */
  sharesMax: 10_000,
  /** Bytes of the paths and messages of one user's public shares. */
  sharePathsMaxBytes: 4 * 1024 * 1024,
  /** Characters of a user name in a request; also of the id of a session, and of the token of an invitation. */
  usernameMax: 128,
  /** Providers of OpenID Connect, and the accounts there of one user. */
  providersMax: 20,
  identitiesOfUserMax: 20,
  /** Log-ins in progress at providers: of one network, whose oldest one ends then, and in all. */
  signInFlowsOfNetworkMax: 50,
  signInFlowsMax: 5000,
  /** Log-out tokens of providers that are remembered, so that none is used twice. */
  logoutTokensMax: 10_000,
  /** Claims of one log-in, and the ID token that is kept for the log-out. */
  claimsMaxBytes: 64 * 1024,
  idTokenMaxBytes: 16 * 1024,
  /** Size of the form with a log-out token. */
  logoutFormMaxBytes: 32 * 1024,
  /** Size of a form without a session: a name, a password, a captcha. */
  credentialsMaxBytes: 8 * 1024,
} as const
