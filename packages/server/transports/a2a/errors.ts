import { type AppError, type Code, problems } from '@mailroom/behavior/values/error';

/** A detail of an error in the form of ProtoJSON `Any`. */
type Detail = { readonly '@type': string } & Readonly<Record<string, unknown>>;

/** An error as both bindings tell it. */
export interface ProtocolError {
  /** Of JSON-RPC (A2A 1.0.1, section 9.5). */
  readonly code: number;
  /** Of HTTP+JSON. */
  readonly status: number;
  /** The name of the status (google.rpc.Code). */
  readonly name: string;
  /** The status of a JSON-RPC answer: 200 for what the protocol itself defines. */
  readonly rpc_status: number;
  readonly message: string;
  readonly details: readonly Detail[];
}

/** Of the JSON-RPC codes for servers, one that A2A does not use itself. */
const REFUSED = -32000;
const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const CONTENT_TYPE_NOT_SUPPORTED = -32005;

/** Problems that have a code of JSON-RPC or A2A; every other one is refused, with its name as the reason. */
const CODES: Partial<Record<Code, number>> = {
  malformed_json: PARSE_ERROR,
  malformed_request: INVALID_REQUEST,
  validation_error: INVALID_PARAMS,
  idempotency_mismatch: INVALID_PARAMS,
  body_too_large: INVALID_PARAMS,
  unsupported_media_type: CONTENT_TYPE_NOT_SUPPORTED,
  internal: INTERNAL,
  unavailable: INTERNAL,
};
/** Answered with 200 as all errors of JSON-RPC; the others are errors of HTTP first. */
const IN_BAND: ReadonlySet<Code> = new Set(['malformed_json', 'validation_error', 'idempotency_mismatch']);

const NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  410: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  507: 'RESOURCE_EXHAUSTED',
};

const info = (reason: string, domain: string): Detail => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
});

/** A problem of this service in the words of the protocol; `reason` is its code. */
export function problemError({ code, message, errors }: AppError): ProtocolError {
  const problemStatus = problems[code].status;
  // HTTP+JSON knows only 400 for what is wrong in a request (A2A 1.0.1, section 5.4).
  const status = problemStatus === 422 || problemStatus === 415 ? 400 : problemStatus;
  const reason =
    code === 'unsupported_media_type'
      ? info('CONTENT_TYPE_NOT_SUPPORTED', 'a2a-protocol.org')
      : info(code.toUpperCase(), 'mailroom');
  const fieldViolations = errors.map((error) => ({
    field: error.pointer.slice(1).replaceAll('/', '.'),
    description: error.message,
  }));
  return {
    code: CODES[code] ?? REFUSED,
    status,
    name: NAMES[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
    rpc_status: IN_BAND.has(code) ? 200 : problemStatus,
    message,
    details: [
      reason,
      ...(fieldViolations.length === 0
        ? []
        : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]),
    ],
  };
}

/** The error of a JSON-RPC answer. */
export const rpcError = ({ code, message, details }: ProtocolError, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: details },
});

/** The body of an HTTP+JSON error (AIP-193). */
export const httpError = ({ status, name, message, details }: ProtocolError) => ({
  error: { code: status, status: name, message, details },
});
