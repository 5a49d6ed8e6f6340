import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { VERSION } from '../../core/values/version.ts';

/** This process, with what `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say of it. */
export const serviceResource = (): Resource =>
  resourceFromAttributes({ 'service.name': 'mailroom', 'service.version': VERSION }).merge(
    detectResources({
      detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector, serviceInstanceIdDetector],
    }),
  );
