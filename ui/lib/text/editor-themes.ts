/** The themes of File Browser's editor (Ace), by the names that accounts store. */

export interface EditorTheme {
  name: string
  /** The name given by the theme's authors. */
  label: string
  dark: boolean
}

export const EDITOR_THEMES: readonly EditorTheme[] = [
  { name: 'chrome', label: 'Chrome', dark: false },
  { name: 'clouds', label: 'Clouds', dark: false },
  { name: 'crimson_editor', label: 'Crimson Editor', dark: false },
  { name: 'dawn', label: 'Dawn', dark: false },
  { name: 'dreamweaver', label: 'Dreamweaver', dark: false },
  { name: 'eclipse', label: 'Eclipse', dark: false },
  { name: 'github_light_default', label: 'GitHub Light Default', dark: false },
  { name: 'github', label: 'GitHub (Legacy)', dark: false },
  { name: 'iplastic', label: 'IPlastic', dark: false },
  { name: 'solarized_light', label: 'Solarized Light', dark: false },
  { name: 'textmate', label: 'TextMate', dark: false },
  { name: 'tomorrow', label: 'Tomorrow', dark: false },
  { name: 'xcode', label: 'XCode', dark: false },
  { name: 'kuroir', label: 'Kuroir', dark: false },
  { name: 'katzenmilch', label: 'KatzenMilch', dark: false },
  { name: 'sqlserver', label: 'SQL Server', dark: false },
  { name: 'cloud_editor', label: 'CloudEditor', dark: false },
  { name: 'ambiance', label: 'Ambiance', dark: true },
  { name: 'chaos', label: 'Chaos', dark: true },
  { name: 'clouds_midnight', label: 'Clouds Midnight', dark: true },
  { name: 'dracula', label: 'Dracula', dark: true },
  { name: 'cobalt', label: 'Cobalt', dark: true },
  { name: 'gruvbox', label: 'Gruvbox', dark: true },
  { name: 'gob', label: 'Green on Black', dark: true },
  { name: 'idle_fingers', label: 'idle Fingers', dark: true },
  { name: 'kr_theme', label: 'krTheme', dark: true },
  { name: 'merbivore', label: 'Merbivore', dark: true },
  { name: 'merbivore_soft', label: 'Merbivore Soft', dark: true },
  { name: 'mono_industrial', label: 'Mono Industrial', dark: true },
  { name: 'monokai', label: 'Monokai', dark: true },
  { name: 'nord_dark', label: 'Nord Dark', dark: true },
  { name: 'one_dark', label: 'One Dark', dark: true },
  { name: 'pastel_on_dark', label: 'Pastel on dark', dark: true },
  { name: 'solarized_dark', label: 'Solarized Dark', dark: true },
  { name: 'terminal', label: 'Terminal', dark: true },
  { name: 'tomorrow_night', label: 'Tomorrow Night', dark: true },
  { name: 'tomorrow_night_blue', label: 'Tomorrow Night Blue', dark: true },
  { name: 'tomorrow_night_bright', label: 'Tomorrow Night Bright', dark: true },
  { name: 'tomorrow_night_eighties', label: 'Tomorrow Night 80s', dark: true },
  { name: 'twilight', label: 'Twilight', dark: true },
  { name: 'vibrant_ink', label: 'Vibrant Ink', dark: true },
  { name: 'github_dark', label: 'GitHub Dark', dark: true },
  { name: 'cloud_editor_dark', label: 'CloudEditor Dark', dark: true },
]

/** File Browser's prefix of a name. The name with and without it means the same theme. */
const PREFIX = 'ace/theme/'

/** @returns the theme that an account stores; undefined for none or an unknown one */
export function editorThemeOf(stored: string): EditorTheme | undefined {
  const storedName = stored.startsWith(PREFIX) ? stored.slice(PREFIX.length) : stored
  return EDITOR_THEMES.find(({ name }) => name === storedName)
}

/** @returns the stored form of a theme's name, as File Browser's clients write it */
export function storedThemeOf(name: string): string {
  return name && PREFIX + name
}
