import { words } from './rules/rule.ts';

/** Informal words of chat and computing, and units, that no dictionary has and that are not corrected. */
export const INFORMAL = words(
  [
    'lol lmao rofl brb btw idk imo imho omg thx pls plz tbh afk fyi asap ok cuz tho thru haha hahaha hehe hmm mmm umm uh um ugh yep nope yup nah meh gonna wanna gotta dunno kinda sorta gimme lemme ya yay hey xoxo bff irl iirc afaik nvm ttyl rn omw',
    'perl openssl venv virtualenv libc linux unix debian ubuntu fedora posix syslog uid gid pid usr wget curl rsync systemd cron crontab chmod chown mkdir rmdir sed awk vim emacs tmux zsh csh ksh passwd ldap kerberos json postgresql mongodb kafka terraform ansible grafana prometheus webpack vite eslint pytest numpy pandas pip pipx conda cargo rustc gcc clang cmake makefile manpage manpages conf mmap malloc pthread stdlib glibc sparc arm amd powerpc macos ios fontconfig wishlist mdns dhcp vpn vlan lan wan cidr nat smtp imap oauth oidc saml jwt totp csrf cors xss rbac sla kpi roi saas paas iaas crm erp etl gpt llm llms env args kwargs param params config configs repo repos async await npm pnpm yarn github gitlab docker kubernetes kubectl nginx redis postgres sqlite mysql json yaml toml html css sql api apis url urls uri uris uuid ui ux cli gui sdk ide ci cd sudo tls tcp udp dns http https ip cpu gpu ssd usb hdmi wifi bluetooth ethernet func impl src dest tmp mem proc ctrl pdf png jpg jpeg gif svg csv xml txt md deserializer serializer dev prod auth printf sprintf scanf mixin mixins buildx linter linters monorepo changelog sharding resharding virtualenv webapp tokenizer jinja grep ssh regex bool enum struct stdin stdout stderr localhost webhook webhooks',
    'mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec kb mb gb tb hr hrs min mins sec secs tbsp tsp oz lb lbs km kg cm mm ml approx dept apt ave blvd mr mrs ms dr jr sr inc ltd co corp eg ie etc vs pm am',
  ].join(' '),
);
