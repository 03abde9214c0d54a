/**
 * The colours of Ace's themes, which accounts store in `aceEditorTheme`. Colours with too little contrast (below WCAG
 * AA on their background) are moved towards black or white until they have enough.
 */

/** The parts of the editor with a colour of their own: six hexadecimal digits for each part, in this order. */
export const PARTS = [
  'fill',
  'text',
  'gutter',
  'selection',
  'active',
  'cursor',
  'comment',
  'keyword',
  'string',
  'number',
  'name',
] as const

/** The colours of each theme by its name, in the order of `PARTS`. */
export const PALETTES: Readonly<Record<string, string>> = {
  chrome: 'ffffff 000000 333333 b5d5ff ededed 000000 236e24 930f80 1a1aa6 0000cd 0000a2',
  clouds: 'ffffff 000000 333333 bdd5fc fffbd1 000000 6d746c 826e52 4a73a4 378107 c52727',
  crimson_editor: 'ffffff 404040 333333 b5d5ff e8f2fe 000000 43785e 0000ff 800080 000040 c00000',
  dawn: 'f9f9f9 080808 333333 bacbfb dfe7f1 000000 5a525f 794938 0b6125 811f24 693a17',
  dreamweaver: 'ffffff 000000 333333 b5d5ff ededed 000000 41755c 0000ff 0000ff 0000cd 0000ff',
  eclipse: 'ffffff 000000 6d6d6d b5d5ff f2f2f2 000000 587565 7f0055 2a00ff 00008b 7f0055',
  github_light_default:
    'ffffff 24292e 707171 dceaf9 f6f8fa 044289 6a737d ce3846 032f62 005cc5 ba5007',
  github: 'ffffff 000000 707070 b5d5ff f5f5f5 000000 717165 000000 dd1144 007d7d 0079a1',
  iplastic: 'eeeeee 333333 666666 bad6fd e5e5e5 333333 666666 0000ff 985703 005ce6 3162c4',
  solarized_light: 'fdf6e3 566c73 333333 ebe9d7 eee8d5 000000 616a6a 606e00 1e746d ba3072 1e6ca4',
  textmate: 'ffffff 000000 333333 b5d5ff ededed 000000 41755c 0000ff 036a07 0000cd 0000a2',
  tomorrow: 'ffffff 4d4d4c 4d4d4c d6d6d6 efefef aeafad 6c6d6a 8959a8 5d7300 a25914 3f6ca7',
  xcode: 'ffffff 000000 333333 b5d5ff ededed 000000 007d00 c400a1 d60002 3a00dc 450084',
  kuroir: 'e8e9e8 363636 333333 efc564 e2e6bf 202020 646464 a52a2a 4b7000 945524 005273',
  katzenmilch: 'f3f2f3 0f0009 333333 ccb2ea e8f2fe 0f0009 656d6e 674aa8 5a5f9b 4c746e 09634e',
  sqlserver: 'ffffff 000000 333333 b5d5ff ededed 000000 007d00 0000ff d60000 000000 bd00bd',
  cloud_editor: 'ffffff 3a3a42 3a3a42 bfceff f2f2f2 3a3a42 676e75 9448cd 207a7f 9e5f01 a81700',
  ambiance: '202020 e6e1dc 919191 464a4d 272727 e6e1dc 8f8f8f cda869 8f9d6a 78cf8a dad085',
  chaos: '161616 e6e1dc 8b8b8b 494836 222222 e6e1dc 8b8b8b 4793ae 58c554 58c554 00aeef',
  clouds_midnight: '191919 929292 929292 000000 1f1f1f 7da5dc 868985 998467 5d90cd 46a609 ed4f4f',
  dracula: '282a36 f8f8f2 a0a0a3 44475a 333644 f8f8f0 949fc1 ff79c6 f1fa8c bd93f9 50fa7b',
  cobalt: '002240 ffffff 8091a0 86543b 00162a ffffff 0088ff ff9d00 3ad900 ff628c ffb054',
  gruvbox: '1d2021 ebdab4 ebdab4 834f31 292a29 ebdab4 9d8f83 8ec07c b8ba37 c2859a f9594c',
  gob: '0b0b0b 00ff00 03ee03 35393c 151515 00ff00 00e060 10d8e8 10f060 10f0a0 00f868',
  idle_fingers: '323232 ffffff 9f9f9f 555e75 353637 91ff00 bf985f d59058 a5c261 7ba3c2 d78d85',
  kr_theme: '0b0a09 fcffe0 fcffe0 530678 1d201e ff9900 8a8779 949c8b 878595 b57c43 8a8c42',
  merbivore: '161616 e6e1dc e6e1dc 454545 222222 ffffff c469bd fc6f09 8dff0a 58c554 fc6f09',
  merbivore_soft: '1c1c1c e6e1dc e6e1dc 494949 252626 ffffff bd6fc6 fc803a 8ec65f 7fc578 e6e1dc',
  mono_industrial: '222c28 ffffff c5c9c9 4e5853 1d2421 ffffff 8e928f a39e64 ffffff e98800 a8b3ab',
  monokai: '272822 f8f8f2 8f908a 49483e 202020 f8f8f0 939081 fa4989 e6db74 ae81ff a6e22e',
  nord_dark: '2e3440 d8dee9 b0b7c4 3f4758 3f4758 d8dee9 b0b7c4 9fb8d0 a3be8c c9aec4 91bdbc',
  one_dark: '282c34 abb2bf 9a9da5 3d4350 2f343e 528bff 9a9ea6 c980df 98c379 d19a66 61afef',
  pastel_on_dark: '2c2828 969996 969996 333031 332f2f a7a7a7 a6c6ff 8e92df 66a968 cccccc aeb2f8',
  solarized_dark: '002b36 99a7a9 d0edf7 1a404a 1a404a d30102 99a8ad 9dad33 55b4ad e58ab7 67aee0',
  terminal: '000000 dedede 4682b4 424242 111111 9f9f9f ff4500 ff6347 b9ca4a e78c45 7aa6da',
  tomorrow_night: '1d1f21 c5c8c6 c5c8c6 373b41 282a2e aeafad 969896 b294bb b5bd68 de935f 81a2be',
  tomorrow_night_blue:
    '002451 ffffff 8fa0c4 003f8e 00346e ffffff 8e9dc5 ebbbff d1f1a9 ffc58f bbdaff',
  tomorrow_night_bright:
    '000000 dedede dedede 424242 111111 9f9f9f 969896 c397d8 b9ca4a e78c45 7aa6da',
  tomorrow_night_eighties:
    '2d2d2d cccccc cccccc 515151 393939 cccccc a3a3a3 cc99cc 99cc99 f99157 7ba7d3',
  twilight: '141414 f8f8f8 e2e2e2 3c4043 1b1b1b a7a7a7 858286 cda869 8f9d6a cf6a4c ac885b',
  vibrant_ink: '0f0f0f ffffff bebebe 4e7499 1d1d1d ffffff b164d8 ff6600 66ff00 99cc99 ffcc00',
  github_dark: '24292e ffffff 8fa0c4 003f8e 00346e ffffff 8e9dc5 ff7b72 9fcef6 ffc58f bbdaff',
  cloud_editor_dark: '282c34 dcdfe4 99a1b2 3c6298 33373e 66b2f0 b5bac0 cd85e0 6fb342 e5c383 ec7f85',
}
