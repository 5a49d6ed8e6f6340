import type { Match } from './finding.ts';

/** Programs and scripts that a system runs when they are opened (Windows, macOS, Linux, Java), and what installs or mounts them. */
const RUNS = new Set(
  (
    'ade adp apk app appcontent-ms appinstaller application appref-ms appx appxbundle bat cab cer chm cmd com command cpl ' +
    'desktop diagcab diagcfg diagpkg dll dmg elf exe ex_ gadget grp hlp hta img inf ins iso isp jar jnlp js jse jsx ksh ' +
    'lib library-ms lnk mde mht mhtml msc msh msh1 msh2 mshxml msi msix msixbundle msp mst nsh one osx pif pkg prf ps1 ps1xml ps2 ' +
    'ps2xml psc1 psc2 psd1 psm1 reg run scf scr sct search-ms settingcontent-ms shb shs sys theme themepack url vb vbe vbp vbs ' +
    'vhd vhdx vxd website webpnp wim workflow wsb wsc wsf wsh xbap xll xnk'
  ).split(' '),
);
/** Documents with macros (ECMA-376), which run as the document is opened. */
const MACROS = new Set('docm dotm ppam potm ppsm pptm sldm xla xlam xlm xlsb xlsm xltm wll ppa'.split(' '));
/** Media types of programs, whatever their name is. */
const PROGRAM_TYPE =
  /^application\/(?:x-(?:ms-?dos-?(?:executable|program)|msdownload|msi|dosexec|executable|mach-binary|elf|sharedlib|bat|vbs|java-archive|ms-shortcut|ms-installer|apple-diskimage|iso9660-image|cd-image)|vnd\.microsoft\.portable-executable|java-archive|hta|vnd\.android\.package-archive|vnd\.ms-(?:word|excel|powerpoint)\.[a-z.]{1,40}macroenabled(?:\.12)?)$/i;
/** Endings that people take for harmless, before the one that counts. */
const HARMLESS = /\.(?:pdf|docx?|xlsx?|pptx?|txt|rtf|jpe?g|png|gif|mp[34]|zip|csv|eml|html?)[\s._-]*\.[^.]+$/i;
/** Characters that turn the direction of writing (UAX #9), by which `cod.exe` is shown as `exe.doc`. */
const TURNS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The ending of a name as systems read it, which ignore dots and blanks at its end; '' when there is none. */
const endingOf = (filename: string): string =>
  /\.([^.\s/\\]{1,20})$/
    .exec(
      filename
        .slice(-300)
        .replace(/[.\s]{1,300}$/, '')
        .replace(/\p{Cf}/gu, ''),
    )?.[1]
    ?.toLowerCase() ?? '';

/** Why a file may harm a person who opens it; undefined where nothing says so. The span is of its name. */
export function dangerOf(filename: string, content_type: string): Match | undefined {
  const ending = endingOf(filename);
  const danger = (why: string): Match => ({ start: 0, length: filename.length, why });
  if (TURNS.test(filename))
    return danger('Its name has characters that turn the direction of writing, so that it shows another ending.');
  if (RUNS.has(ending)) {
    const disguised = HARMLESS.test(filename) ? ', and its name pretends to be a document' : '';
    return danger(`A file that ends in .${ending} can run a program when it is opened${disguised}.`);
  }
  if (MACROS.has(ending)) return danger(`A file that ends in .${ending} can have macros, which run when it is opened.`);
  if (PROGRAM_TYPE.test(content_type)) return danger(`Its type, ${content_type}, is that of a program.`);
  return undefined;
}
