import type { Range } from './protect.ts';

/** A line of the text without its end. */
interface Line {
  readonly start: number;
  readonly end: number;
  /** At most its beginning, of `MAX_LINE` characters. */
  readonly text: string;
}

/** Lines of code that nothing else looks like, whatever stands around them. */
const CODE: readonly RegExp[] = [
  /^\s*(?:import\s.*\bfrom\s+['"]|from\s+[\w.]+\s+import\s|import\s+(?:[\w.*{}, ]+;|[a-z_]\w*(?:\.\w+)*\s*$)|#\s*include\b|#!\/|using\s+[\w.]+;|package\s+[\w.]+;?\s*$)/,
  /^\s*(?:export\s+(?:default|const|function|class|type|interface|async)\b|(?:const|let|var|val|auto|final)\s+[\w{[][^.!?]*=)/,
  /^\s*(?:(?:async|public|private|protected|static|export)\s+)*(?:function\b\*?\s*\w*\s*\(|def\s+\w+\s*\(|fn\s+\w+|func\s+[\w(]|(?:public|private|protected)\s+[\w<>[\]]+\s+\w+\s*[(=;])/,
  /^\s*(?:class\s+\w+(?:\(.*\))?\s*:|(?:class|struct|enum|interface|trait|impl|type|namespace|module)\s+[\w<>:, ]+\{)\s*$/,
  /^\s*(?:if|else if|for|while|switch|catch|foreach)\s*\(.*\)\s*\{?\s*$/,
  /^\s*(?:if|elif|for|while|with|except)\s.*[=<>()[\]._].*:\s*$/,
  /^\s*(?:else|try|finally|do)\s*[:{]\s*$|^\s*\}\s*(?:else|catch|finally|while)\b/,
  /^\s*return\b[^.!?]*;\s*(?:(?:\/\/|#).*)?$/,
  /^\s*[\w.$[\]'"]+(?:\s*:\s*[\w<>[\]]+)?\s*(?:[-+*/%|&]?=|:=|<-)\s*\S(?!.*\p{L}{2}[.!?]\s*$)/u,
  /^\s*(?:await\s+)?[A-Za-z_$][\w$]*(?:\??\.\w+)*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*;?\s*(?:(?:\/\/|#).*)?$/,
  /^(?!.*(?:\b[a-z]+ ){4})[^.!?]*[\w)\]}'"]\s*;\s*(?:\/\/.*)?$(?<=[=(){}[\]<>*].*)/,
  /^\s*[^\s.!?][^.!?]*[)\w]\s*\{\s*$|^\s*[{}[\]()]+[;,)]*\s*$/,
  /^\s*@\w+(?:\.\w+)*(?:\(.*\))?\s*$/,
  /^\s*(?:FROM\s+[\w./:-]+(?:\s+AS\s+\w+)?|(?:RUN|COPY|ADD|CMD|ENTRYPOINT|WORKDIR|EXPOSE|ENV)\s+[\w[./-].*)$/,
];
/** Lines that belong to the code beside them. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*\/|\*(?:\s|$)|#(?!#)|--(?:\s|$)|'''|"""|<!--|-->)/;

const LOG: readonly RegExp[] = [
  /^\s*[[(<]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d/,
  /^(?:<\d+>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /,
  /^\s*[[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?[\])]?\s+\S/,
  /^\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[/,
  /^\s*\[(?:error|warn(?:ing)?|info|debug|trace|fatal|notice|critical)\b[^\]]*\]/i,
  /^\s+at (?:async )?[\w.$<>[\] ]+ ?\(.*\)\s*$|^\s+at \S+:\d+/,
  /^Traceback \(most recent call last\):|^\s+File "[^"]+", line \d+/,
  /^(?:\w+\.)*\w+(?:Error|Exception)(?:: .*)?$/,
  /^npm (?:ERR!|WARN|error|warn) /,
  /^(?:ERROR|WARN|INFO|DEBUG|TRACE|FATAL)[: ]\s*\S/,
];

const COMMAND =
  /^\s*(?:[\w.-]+@[\w.-]+:\S*[$#]\s|>>>\s|\.\.\.\s|PS [A-Z]:\\|[A-Z]:\\[^>]*>|(?:sudo\s+)?(?:(?:git|npm|npx|yarn|pnpm|pip3?|pipx|cargo|docker|docker-compose|podman|kubectl|helm|terraform|apt|apt-get|brew|dnf|yum|systemctl|journalctl|gh|aws|gcloud|az|make|go|mvn|gradle)\s+(?:-{1,2}\w|add|apply|build|checkout|clone|commit|compose|config|create|delete|describe|exec|fetch|get|init|install|i|logs|merge|mod|pull|push|rebase|remove|reset|restart|rm|run|start|stash|status|stop|test|uninstall|update|upgrade)\b|(?:curl|wget|ssh|scp|rsync|chmod|chown|grep|sed|awk|find|tar|cat|ls|cd|cp|mv|mkdir|rm|export|echo|node|python3?|java|ruby|psql|mysql|ps|kill|ping|dig|openssl|ffmpeg|jq|xargs)\s+(?:[-./~'"$*]|https?:|\w+\s+-{1,2}\w|\S+\s*(?:\||&&|>))))/;
/** The end of a sentence behind a few words, as no command has. */
const SENTENCE_END = /[\p{L}]{2}[.!?]["”')]?\s*$/u;

const SQL =
  /^\s*(?:SELECT\b|INSERT INTO\b|UPDATE \S+ SET\b|DELETE FROM\b|CREATE (?:OR REPLACE |TEMP(?:ORARY)? |UNIQUE )?(?:TABLE|INDEX|VIEW|DATABASE|FUNCTION|TRIGGER)\b|ALTER TABLE\b|DROP (?:TABLE|INDEX|VIEW)\b|WITH \w+ AS \(|select\b[^.!?]*\bfrom \w+[^.!?]*(?:;|[=*].*)$|insert into \w+ ?\(|update \w+ set \w+ ?=|delete from \w+ where\b)/;

const DIFF = /^(?:diff --git |diff -\w+ |--- [\w./"]+|\+\+\+ [\w./"]+|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|Index: \S+$)/;
const IN_DIFF =
  /^(?:[-+ \\]|@@ |index [\da-f]|(?:new|deleted) file|(?:old|new) mode|rename |similarity |Binary |diff )/;

const isCode = (line: string): boolean => CODE.some((pattern) => pattern.test(line));
const isLog = (line: string): boolean => LOG.some((pattern) => pattern.test(line));
const isCommand = (line: string): boolean => COMMAND.test(line) && !SENTENCE_END.test(line);
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
const indent = (line: string): number => line.length - line.trimStart().length;

/**
 * Code, queries, settings, lists of values, logs, changes and commands that stand in a text without marks around them: whole
 * lines. Prose above and below them is left out.
 */
export function codeRanges(text: string): Range[] {
  const lines = linesOf(text);
  const found: Range[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = BLOCKS.reduce((furthest, block) => Math.max(furthest, block(lines, at)), at);
    if (end > at) {
      found.push([(lines[at] as Line).start, (lines[end - 1] as Line).end]);
    }
    at = Math.max(end, at + 1);
  }
  return found;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ start, end: start + line.length, text: line.slice(0, MAX_LINE) });
    start += line.length + 1;
  }
  return lines;
}
/** Longer lines are paragraphs; their beginning decides. */
const MAX_LINE = 200;

/** The line after a block that begins at a line, or that line where none begins. */
type Block = (lines: readonly Line[], at: number) => number;

const lineAt = (lines: readonly Line[], at: number): string => lines[at]?.text ?? '';

/** Lines of code, what is indented below them, and the comments around them. */
const code: Block = (lines, at) => {
  let first = at;
  while (COMMENT.test(lineAt(lines, first)) && first < lines.length) first += 1;
  if (!isCode(lineAt(lines, first))) return at;
  const base = indent(lineAt(lines, first));
  let end = first + 1;
  for (let next = end; next < lines.length; next += 1) {
    const line = lineAt(lines, next);
    if (isBlank(line)) continue;
    const deeper = indent(line) > base && (next === end || indent(lineAt(lines, end - 1)) > base);
    if (!(isCode(line) || deeper || (COMMENT.test(line) && next === end))) break;
    end = next + 1;
  }
  return end;
};

const logs: Block = (lines, at) => runOf(lines, at, isLog);
const commands: Block = (lines, at) => runOf(lines, at, isCommand);

function runOf(lines: readonly Line[], at: number, fits: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && fits(lineAt(lines, end))) end += 1;
  return end;
}

/** A query, until its semicolon or an empty line. */
const query: Block = (lines, at) => {
  const line = lineAt(lines, at);
  if (!SQL.test(line) || (SENTENCE_END.test(line) && !/\bFROM\b/.test(line))) return at;
  for (let end = at; ; end += 1) {
    if (isBlank(lineAt(lines, end))) return end;
    if (/;\s*$/.test(lineAt(lines, end))) return end + 1;
  }
};

/** Changes as `diff` writes them. */
const diff: Block = (lines, at) => {
  if (!DIFF.test(lineAt(lines, at))) return at;
  let end = at + 1;
  while (end < lines.length && (IN_DIFF.test(lineAt(lines, end)) || DIFF.test(lineAt(lines, end)))) end += 1;
  return end - at < 2 ? at : end;
};

const SETTING = /^(\s*)(?:- )?["']?([A-Za-z_][\w.$/-]*)["']?(\s*=\s*|:(?:\s+|$))(.*)$/;
const SECTION = /^\s*\[{1,2}[\w.:" -]+\]{1,2}\s*$/;

/** Settings as YAML, TOML, INI and environment files have them. */
const settings: Block = (lines, at) => {
  let end = at;
  let count = 0;
  let clear = false;
  for (let next = at; next < lines.length; next += 1) {
    const line = lineAt(lines, next);
    if (isBlank(line) && count > 0) continue;
    const sign = signOfSetting(line, next > at);
    if (sign === undefined) break;
    if (sign === 'clear') clear = true;
    count += 1;
    end = next + 1;
  }
  return (clear && count >= 2) || count >= 3 ? end : at;
};

/** Whether a line may be one of settings; `clear` where nothing else looks like it. */
function signOfSetting(line: string, inside: boolean): 'clear' | 'likely' | undefined {
  if (SECTION.test(line)) return 'clear';
  if (/^---\s*$/.test(line) || (inside && /^\s*[#;]/.test(line))) return 'likely';
  // An entry of a list, and the lines of a long text, stand below their name.
  if (inside && /^\s+- \S/.test(line) && !SENTENCE_END.test(line)) return 'likely';
  const [, space = '', name = '', sign = '', value = ''] = SETTING.exec(line) ?? [];
  if (sign === '' || SENTENCE_END.test(value) || value.split(/\s+/).length > MAX_VALUE_WORDS) return undefined;
  if (sign.includes('=')) return 'clear';
  if (!/^[a-z_]/.test(name)) return space !== '' && inside ? 'likely' : undefined;
  return space !== '' || /^(?:[-\d[{"'|>&*]|true|false|null|yes|no\b)/.test(value) ? 'clear' : 'likely';
}
const MAX_VALUE_WORDS = 8;

/** Rows of values between commas, semicolons or bars, as many in each row. */
const rows: Block = (lines, at) => {
  for (const sign of [',', ';', '|']) {
    const columns = cells(lineAt(lines, at), sign);
    if (columns === undefined) continue;
    let end = at + 1;
    let tight = isTight(lineAt(lines, at), sign);
    let numbers = 0;
    while (end < lines.length && cells(lineAt(lines, end), sign)?.length === columns.length) {
      tight &&= isTight(lineAt(lines, end), sign);
      numbers += (cells(lineAt(lines, end), sign) ?? []).some((cell) => /^\W*\d[\d.,:/ %-]*\W*$/.test(cell)) ? 1 : 0;
      end += 1;
    }
    const count = end - at;
    if (count >= 2 && tight) return end;
    if (count >= 3 && (columns.length >= 3 || numbers >= count - 1)) return end;
  }
  return at;
};

/** The values of a row, undefined where it reads as a sentence. */
function cells(line: string, sign: string): readonly string[] | undefined {
  const parts = line.replace(/"(?:[^"]|"")*"/g, '""').split(sign);
  if (parts.length < 2 || /[.!?]\s*$/.test(line) || /^\s*(?:[-*+>#]|\d+[.)])\s/.test(line)) return undefined;
  if (parts.slice(0, -1).some((part) => part === '' && parts.length === 2)) return undefined;
  return parts.every((part) => part.trim().split(/\s+/).length <= MAX_CELL_WORDS) && parts.at(-1) !== ''
    ? parts
    : undefined;
}
const MAX_CELL_WORDS = 4;

const isTight = (line: string, sign: string): boolean => !line.replace(/"[^"]*"/g, '').includes(`${sign} `);

const BLOCKS: readonly Block[] = [code, logs, commands, query, diff, settings, rows];
