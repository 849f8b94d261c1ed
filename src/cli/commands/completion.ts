import {Argument, type Command} from 'commander';
import {examples} from '../context.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      examples('completion bash > /etc/bash_completion.d/trellis', 'completion fish | source'),
    )
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](wordsBelow(program)));
    });
}

/** What may follow each path of commands, by the path. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsBelow(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: string) => {
    const options = [...command.options, ...(command === program ? [] : program.options)];
    words.set(path, [
      ...command.commands.map(each => each.name()),
      ...options.flatMap(option => option.long ?? []),
      '--help',
    ]);
    for (const each of command.commands) visit(each, path === '' ? each.name() : `${path} ${each.name()}`);
  };
  visit(program, '');
  return words;
}

const cases = (words: Words): string =>
  [...words].map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`).join('\n');

const pathsOf = (words: Words): string => [...words.keys()].filter(path => path !== '').join('|');

const BASH = (words: Words): string => `_trellis() {
  local path='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in ${pathsOf(words).replaceAll(' ', '\\ ')}) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trellis trellis
`;

const SCRIPTS: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: BASH,
  zsh: words => `autoload -U +X bashcompinit && bashcompinit\n${BASH(words)}`,
  fish: words =>
    [...words]
      .flatMap(([path, next]) => {
        const seen =
          path === ''
            ? '__fish_use_subcommand'
            : path
                .split(' ')
                .map(word => `__fish_seen_subcommand_from ${word}`)
                .join('; and ');
        return next.map(word =>
          word.startsWith('--')
            ? `complete -c trellis -n '${seen}' -l ${word.slice(2)}`
            : `complete -c trellis -f -n '${seen}' -a ${word}`,
        );
      })
      .join('\n')
      .concat('\n'),
};
