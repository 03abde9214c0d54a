/** The project's website. The interface links to it unless `branding.disableExternal` is on. */

const HOME = 'https://github.com/filemgr/filemgr'

export const PROJECT = {
  home: HOME,
  documentation: `${HOME}#readme`,
  issues: `${HOME}/issues`,
} as const
