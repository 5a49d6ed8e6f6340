import type { Behavior } from '@mailroom/behavior';
import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError, invalid } from '@mailroom/behavior/values/error';
import type { TSchema } from 'typebox';
import type { Mailbox, NewMailbox } from '../entities/mailbox.ts';
import type { WebhookClient } from '../ports/webhook-client.ts';

/** Throws AppError `validation_error` with pointers under `/behavior/settings`. */
export type CheckSettings = (schema: TSchema, settings: unknown) => void;

interface BehaviorSettingsParts {
  readonly behaviors: readonly Behavior[];
  readonly webhookClient: Pick<WebhookClient, 'urlError'>;
}

interface BehaviorSettingsOptions {
  /** Maximum size of a mailbox's settings, in bytes of JSON. */
  readonly max_settings?: number;
  readonly checkSettings: CheckSettings;
}

/** The behaviors by name, and the checks of their settings. */
export class BehaviorSettings {
  readonly #behaviors: ReadonlyMap<string, Behavior>;
  readonly #webhookClient: Pick<WebhookClient, 'urlError'>;
  readonly #checkSettings: CheckSettings;
  readonly #maxSettings: number;

  constructor(
    { behaviors, webhookClient }: BehaviorSettingsParts,
    { checkSettings, max_settings = Number.POSITIVE_INFINITY }: BehaviorSettingsOptions,
  ) {
    this.#behaviors = new Map(behaviors.map((behavior) => [behavior.name, behavior]));
    this.#webhookClient = webhookClient;
    this.#checkSettings = checkSettings;
    this.#maxSettings = max_settings;
  }

  find(name: string): Behavior | undefined {
    return this.#behaviors.get(name);
  }

  /** AppError `validation_error` where there is none of this name. */
  behavior(name: string): Behavior {
    const behavior = this.#behaviors.get(name);
    if (behavior !== undefined) return behavior;
    throw invalid(
      '/behavior/name',
      `There is no behavior "${name}" here. Choose one of ${[...this.#behaviors.keys()].join(', ')}.`,
    );
  }

  /** Checks that the behavior exists and its settings are valid; throws AppError `validation_error`, `body_too_large`. */
  checkBehavior({ name, settings = {} }: NewMailbox['behavior']) {
    const behavior = this.behavior(name);
    this.checkSize(settings);
    this.check(behavior, settings);
    return { behavior, settings };
  }

  /** AppError `validation_error` when valid settings name a URL that cannot be called; its name is looked up. */
  async checkTargets({ name, settings }: { readonly name: string; readonly settings?: unknown }): Promise<void> {
    const url = this.webhookOf(name, settings ?? {});
    const wrong = url === undefined ? undefined : await this.#webhookClient.urlError(url);
    if (wrong !== undefined) throw invalid('/behavior/settings/webhook_url', wrong);
    refuseSettings((await this.#behaviors.get(name)?.targetErrors?.(settings ?? {})) ?? []);
  }

  /** The URL of the webhook that settings name, for a behavior that programs answer. */
  webhookOf(behavior: string, settings: unknown): string | undefined {
    return this.#behaviors.get(behavior)?.answered?.webhook(settings as never);
  }

  /** Throws AppError `body_too_large`: settings are read with each message, so their size is bounded. */
  checkSize(settings: unknown): void {
    const bytes = Buffer.byteLength(JSON.stringify(settings));
    if (bytes <= this.#maxSettings) return;
    const message = `These settings have ${bytes} bytes as JSON; ${this.#maxSettings} are allowed. Shorten them.`;
    throw new AppError('body_too_large', message, { errors: [{ pointer: '/behavior/settings', message }] });
  }

  /** Throws AppError `validation_error` unless the settings are valid for that behavior. */
  check(behavior: Behavior, settings: unknown): void {
    this.#checkSettings(behavior.settings, settings);
    refuseSettings(behavior.settingsErrors?.(settings) ?? []);
  }
}

/** Throws AppError `validation_error` when there are errors in settings. */
function refuseSettings(errors: readonly FieldError[]): void {
  const placed = errors.map(({ pointer, message }) => ({ pointer: `/behavior/settings${pointer}`, message }));
  const [first] = placed;
  if (first === undefined) return;
  throw new AppError('validation_error', `${first.pointer}: ${first.message}`, { errors: placed });
}

/** Valid settings as they are stored. */
export const storedSettings = (
  { stored }: Behavior,
  settings: Mailbox['settings'],
  mailbox: Pick<Mailbox, 'namespace_id'>,
): Mailbox['settings'] => (stored === undefined ? settings : (stored(settings, mailbox) as Mailbox['settings']));

/** Bytes of settings as JSON. */
export const sizeOfSettings = (settings: Mailbox['settings']): number => Buffer.byteLength(JSON.stringify(settings));

/** Offline until a program connects, for a mailbox that one answers and that has no webhook. */
export const onlineUntil = ({ answered }: Behavior, settings: unknown): Millis | null => {
  const online = answered?.alwaysOnline(settings as never) ?? true;
  return online || answered?.webhook(settings as never) !== undefined ? null : 0;
};

/** AppError `validation_error` for a budget of a mailbox that asks no language model. */
export function checkBudget({ name, asksModel }: Behavior): void {
  if (asksModel === true) return;
  throw invalid(
    '/budget',
    `"${name}" asks no language model, so it has no budget. Leave budget out, or set it to null.`,
  );
}
