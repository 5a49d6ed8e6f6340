import { type Command, UsageError } from '../command.ts';
import { COMMON } from '../help.ts';

const optionsOf = ({ options = {} }: Command): readonly string[] =>
  Object.keys({ ...options, ...COMMON }).map((name) => `--${name}`);

/** First words, second words of those that have one, and the options of each command. */
function wordsOf(commands: readonly Command[]) {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const second = first.map((word) => ({
    word,
    words: commands.flatMap(({ name }) => (name.startsWith(`${word} `) ? [name.slice(word.length + 1)] : [])),
  }));
  return { first, second: second.filter(({ words }) => words.length > 0) };
}

function bash(commands: readonly Command[]): string {
  const { first, second } = wordsOf(commands);
  const subcommands = second.map(({ word, words }) => `      ${word}) words="${words.join(' ')}" ;;`).join('\n');
  const options = commands
    .map((one) => `      "${one.name}"*) words="${optionsOf(one).join(' ')}" ;;`)
    .reverse()
    .join('\n');
  const values = commands
    .flatMap(({ name, options: own = {} }) =>
      Object.entries(own).map(([option, { value = '' }]) => ({ word: name.split(' ')[0], option, value })),
    )
    .filter(({ value }) => value.includes('|'))
    .map(({ word, option, value }) => `      "${word} --${option}") words="${value.replaceAll('|', ' ')}" ;;`);
  return `# bash: mailroom completion bash > ~/.local/share/bash-completion/completions/mailroom
_mailroom() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [[ $current == -* ]]; then
    case "\${COMP_WORDS[*]:1:2}" in
${options}
    esac
  elif [[ "\${COMP_WORDS[COMP_CWORD-1]}" == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${[...new Set(values)].join('\n')}
    esac
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words="${first.join(' ')}"
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case "\${COMP_WORDS[1]}" in
${subcommands}
      completion) words="${Object.keys(SHELLS).join(' ')}" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _mailroom mailroom`;
}

function zsh(commands: readonly Command[]): string {
  return `#compdef mailroom
# zsh: mailroom completion zsh > "\${fpath[1]}/_mailroom"
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}
# The first completion loads this file, and is done here.
_bash_complete -o default -F _mailroom`;
}

const single = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;

function fish(commands: readonly Command[]): string {
  const { first, second } = wordsOf(commands);
  const summary = (name: string): string =>
    commands.find((one) => one.name === name)?.summary ??
    second.find(({ word }) => word === name)?.words.join(', ') ??
    '';
  const lines = [
    '# fish: mailroom completion fish > ~/.config/fish/completions/mailroom.fish',
    // A word may be a command and the second one of another, such as `new` and `keys new`.
    'function __mailroom_is; set -l words (commandline -opc); string match -q -- "$words[1] $argv *" "$words "; end',
    ...first.map((word) => `complete -c mailroom -f -n __fish_use_subcommand -a ${word} -d ${single(summary(word))}`),
    ...second.flatMap(({ word, words }) =>
      words.map((one) => {
        const seen = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
        return `complete -c mailroom -f -n ${single(seen)} -a ${one} -d ${single(summary(`${word} ${one}`))}`;
      }),
    ),
    `complete -c mailroom -f -n ${single('__mailroom_is completion')} -a ${single(Object.keys(SHELLS).join(' '))}`,
    ...commands.flatMap(({ name, options = {} }) =>
      Object.entries({ ...options, ...COMMON }).map(([option, { help, value, short }]) => {
        const seen = `__mailroom_is ${name}`;
        const choices = value?.includes('|') === true ? ` -x -a ${single(value.replaceAll('|', ' '))}` : ' -r';
        const flags = `${short === undefined ? '' : ` -s ${short}`}${value === undefined ? '' : choices}`;
        return `complete -c mailroom -n ${single(seen)} -l ${option}${flags} -d ${single(help)}`;
      }),
    ),
  ];
  return lines.join('\n');
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

/** The command that prints the completions of a shell. */
export const completion = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print the completions for a shell',
  args: 'bash|zsh|fish',
  count: [1, 1],
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/mailroom', 'For bash'],
    [`completion zsh > "\${fpath[1]}/_mailroom"`, 'For zsh; then start a new shell'],
    ['completion fish > ~/.config/fish/completions/mailroom.fish', 'For fish'],
  ],
  async run({ positionals, terminal }) {
    const write = SHELLS[positionals[0] ?? ''];
    if (write === undefined) throw new UsageError('The shells are bash, zsh and fish.');
    terminal.line(write(commands()));
    return 0;
  },
});
