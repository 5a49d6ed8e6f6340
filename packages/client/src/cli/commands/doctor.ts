import { findingLines } from '../../doctor/finding.ts';
import { serviceFindings } from '../../doctor/service.ts';
import type { Command } from '../command.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look whether the service works from here, and say what to do',
  count: [0, 0],
  examples: [
    ['doctor', 'Its certificate, clock and key, MCP and A2A; the exit code is 1 when something failed'],
    ['doctor --url https://mail.example.com --json', 'For a program: {check, status, found, advice} each'],
  ],
  async run({ guest, json, terminal, signal }) {
    const { url, key } = guest();
    const findings = await serviceFindings({ url, key, signal });
    if (json) terminal.json(findings);
    else for (const line of findingLines(findings)) terminal.line(line);
    return findings.some(({ status }) => status === 'fail') ? 1 : 0;
  },
};
