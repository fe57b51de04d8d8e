// The types of the OpenAPI document, made by openapi-typescript: `npm run generate` writes this file.

/** Paths that exist once, not for each namespace. */
export const servicePaths: readonly string[] = [
  '/chat',
  '/chat/models',
  '/cluster',
  '/cluster/namespaces/{name}',
  '/config',
  '/delegates/validate',
  '/integrations/job',
  '/integrations/providers',
  '/integrations/snapshot/validate',
  '/integrations/vocabulary',
  '/ns',
  '/ns/{name}',
  '/ns/{name}/activate',
  '/save/all',
  '/savegames',
  '/savegames/{id}',
  '/savegames/{id}/load',
  '/tabularasa/all',
];
export interface paths {
  '/chat': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A completion. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['ChatRequest'];
        };
      };
      responses: {
        /** @description What the model answered. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ChatCompletion'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/chat/models': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The models of the backend. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The models it names. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ChatModels'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cluster': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What part this node has in its cluster, and where the writer is. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description As the node sees it. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Cluster'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/cluster/namespaces/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Moves a namespace to another node of the cluster.
     * @description Its writer gives it up when the other node is ready to take it; until then it goes on where it is.
     */
    put: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['ClusterMove'];
        };
      };
      responses: {
        /** @description It is written there. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Cluster'];
          };
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/config': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What the service runs with. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Settings and what follows from them. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Configuration'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Writes settings, all of a batch or none. */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['ConfigurationUpdate'];
        };
      };
      responses: {
        /** @description What became of each. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ConfigurationChange'];
          };
        };
      };
    };
    trace?: never;
  };
  '/delegates/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** What the compiler says about a fragment. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['DelegateValidationSpecification'];
        };
      };
      responses: {
        /** @description The diagnostics. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DelegateValidationResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/integrations/job': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Starts a job. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['IntegrationRequest'];
        };
      };
      responses: never;
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/integrations/providers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The adapters there are. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: never;
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/integrations/snapshot/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Checks a snapshot. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['IntegrationRequest'];
        };
      };
      responses: never;
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/integrations/vocabulary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The words that adapters use. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: never;
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/ns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All namespaces. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description By name. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['NamespaceList'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/ns/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One namespace. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The namespace. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Namespace'];
          };
        };
      };
    };
    /** Creates a namespace. */
    put: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The namespace. */
        201: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Namespace'];
          };
        };
      };
    };
    post?: never;
    /** Drops a namespace; its checkpoints stay. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    /** Renames a namespace or changes its policies. */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['NamespaceUpdate'];
        };
      };
      responses: {
        /** @description The namespace. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Namespace'];
          };
        };
      };
    };
    trace?: never;
  };
  '/ns/{name}/activate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Loads a namespace that is not loaded. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Name of the namespace. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is loaded. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['NamespaceActivation'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/algorithms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The algorithms there are. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Descriptions by name. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': {
              [key: string]: string;
            };
            'text/json': {
              [key: string]: string;
            };
            'text/plain': {
              [key: string]: string;
            };
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/{algorithmName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Runs an algorithm over the graph. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the algorithm, in its own case. */
          algorithmName: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['AnalyticsSpecification'];
        };
      };
      responses: {
        /** @description What came out. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['AnalyticsResult'];
            'text/json': components['schemas']['AnalyticsResult'];
            'text/plain': components['schemas']['AnalyticsResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/{algorithmName}/partition/{partitionId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Runs an algorithm and shows the members of one partition. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the algorithm, in its own case. */
          algorithmName: string;
          /** @description Id of the partition. */
          partitionId: number;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['AnalyticsSpecification'];
        };
      };
      responses: {
        /** @description One page of the members. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['PartitionMembers'];
            'text/json': components['schemas']['PartitionMembers'];
            'text/plain': components['schemas']['PartitionMembers'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/benchmark': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Measures how many edges a second are followed. */
    get: {
      parameters: {
        query?: {
          /** @description Passes over all edges. */
          iterations?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The rates. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['BenchmarkResult'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/bulk/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The graph as lines, as a stream. */
    get: {
      parameters: {
        query?: {
          /** @description Only vertices of this label, and the edges between them. */
          vertexLabel?: string;
          /** @description Only edges of this label. */
          edgeLabel?: string;
          /** @description Only edges of this type. */
          edgePropertyId?: string;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description A first line about all, vertices, edges. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/x-ndjson': string;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/bulk/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Fills an empty graph from lines, as a stream. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/x-ndjson': string;
        };
      };
      responses: {
        /** @description What was imported. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ImportResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/changefeed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Events of what is committed, as they come. */
    get: {
      parameters: {
        query?: {
          /** @description Kinds of events; resync always comes. Repeatable, or parted by commas. */
          kinds?: string;
          /** @description vertex, edge. Repeatable, or parted by commas. */
          elements?: string;
          /** @description Labels of elements. Repeatable, or parted by commas. */
          labels?: string;
          /** @description Keys of properties. Repeatable, or parted by commas. */
          keys?: string;
          /** @description Position to go on behind: the id of an event, or its number. */
          since?: string;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Stays open. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'text/event-stream': string;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All documents, by id. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The documents. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentList'];
          };
        };
      };
    };
    put?: never;
    /** Ingests a file. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 536870912 bytes. */
      requestBody: {
        content: {
          'multipart/form-data': components['schemas']['DocumentUpload'];
        };
      };
      responses: {
        /** @description Waits to be ingested. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Document'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/binding': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the indexes of documents are there. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The indexes by their role. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentBinding'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/binding/ensure': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Creates the indexes of documents. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The indexes by their role. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentBinding'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/entities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What documents mention, the most first. */
    get: {
      parameters: {
        query?: {
          /** @description Type of the entities, in any case. */
          type?: string;
          /** @description Part of their text, in any case. */
          contains?: string;
          /** @description Most entities; 0 or less means 200, at most 10,000. */
          limit?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The entities, and how many there are. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentEntities'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Searches the chunks of documents. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['DocumentSearchSpecification'];
        };
      };
      responses: {
        /** @description The best chunks, or their documents. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentSearchResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/text': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ingests a text. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 536870912 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['DocumentText'];
        };
      };
      responses: {
        /** @description Waits to be ingested. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Document'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/document/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One document with its chunks. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the document. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The document, and its chunks in order. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['DocumentDetail'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Removes a document and its chunks. */
    delete: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the document. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Removed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Creates an edge. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['EdgeSpecification'];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edge/count': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of edges. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edge/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One edge by its id. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the edge. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The edge. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Edge'];
          };
        };
        /** @description There is no such edge. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edge/{id}/source': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Id of the source of an edge. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the edge. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Id of the vertex. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edge/{id}/target': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Id of the target of an edge. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the edge. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Id of the vertex. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/edges': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Creates edges in one transaction. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['EdgeSpecification'][];
        };
      };
      responses: {
        /** @description Waited for: the new ids, in the order of the request. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embedding/element': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Embeds a text into an element. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['ElementText'];
        };
      };
      responses: {
        /** @description True: it is written. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embedding/elements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Embeds texts into elements, all or none. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['ElementTexts'];
        };
      };
      responses: {
        /** @description True: it is written. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embedding/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The k nearest elements of a vector index to a text, exactly. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['TextSearchSpecification'];
        };
      };
      responses: {
        /** @description The elements and their scores. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['VectorScanResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embedding/text': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Texts as vectors. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['Texts'];
        };
      };
      responses: {
        /** @description The vectors. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['TextVectors'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/generate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Adds a generated graph. */
    get: {
      parameters: {
        query?: {
          /** @description Vertices. */
          nodeCount?: number;
          /** @description Edges of each vertex. */
          edgeCount?: number;
          /** @description uniform or preferential, in any case. */
          distribution?: string;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description What was added. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GenerationResult'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The first vertices and edges of the graph. */
    get: {
      parameters: {
        query?: {
          /** @description Most vertices, and most edges: 0 to 100000. */
          maxElements?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Vertices and edges by ascending id. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GraphPage'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelement/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One vertex or edge by its id. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The vertex or edge. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Vertex'] | components['schemas']['Edge'];
          };
        };
        /** @description There is no such element. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    /** Removes an element; a vertex with its edges. */
    delete: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelement/{id}/embedding/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The named vector of an element. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
          /** @description Name of the embedding. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The vector, and the model that made it. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Embedding'];
          };
        };
      };
    };
    /** Gives an element a named vector. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
          /** @description Name of the embedding. */
          name: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['EmbeddingSpecification'];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    /** Takes a named vector from an element. */
    delete: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
          /** @description Name of the embedding. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelement/{id}/{propertyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Sets a property; the key is that of the path. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
          /** @description Key of the property. */
          propertyId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['NamedPropertySpecification'];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    /** Removes a property. */
    delete: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the element. */
          id: number;
          /** @description Key of the property. */
          propertyId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Removes elements, with the edges of removed vertices, in one transaction. */
    delete: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': (number | string)[];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelements/get': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Many elements by their ids. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': (number | string)[];
        };
      };
      responses: {
        /** @description The elements, and the ids that name none. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['ElementPage'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/graphelements/properties': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Sets and removes properties of many elements in one transaction. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PropertyChange'][];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/hash': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A hash of the state: elements, properties, adjacency, indexes, documents.
     * @description Writes wait while it is taken; reads do not.
     */
    get: {
      parameters: {
        query?: {
          /** @description Of the state after this commit: waits for it, 409 when later ones are there, 404 when it does not come. */
          at?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The hash, and the last commit that is in it. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['HashedState'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Creates an index. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PluginSpecification'];
        };
      };
      responses: {
        /** @description True when it happened. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index/backfill/{indexId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Fills an index from the properties that elements have. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['IndexBackfillSpecification'];
        };
      };
      responses: {
        /** @description What was looked at and entered. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['IndexBackfillResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index/vector/{indexId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Adds the vector of an element to an index that is not bound to an embedding. */
    put: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['VectorAddSpecification'];
        };
      };
      responses: {
        /** @description True when it was added. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index/{indexId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Adds an element to an index under a key. */
    put: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['IndexAddToSpecification'];
        };
      };
      responses: {
        /** @description True when it happened. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    post?: never;
    /** Deletes an index. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description True when it happened. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index/{indexId}/propertyValue': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Takes a key out of an index. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['TypedValue'];
        };
      };
      responses: {
        /** @description True when it happened. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/index/{indexId}/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Takes an element out of an index. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the index. */
          indexId: string;
          /** @description Id of the element. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description True when it happened. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/load': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replaces the graph by a checkpoint. */
    put: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['LoadSpecification'];
        };
      };
      responses: {
        /** @description It is loaded, or there is none at that place. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The commits behind a position, as frames, for replicas (Replica:Serve).
     * @description Waits for the next one. What frames are says src/engine/replication/frames.ts.
     */
    get: {
      parameters: {
        query?: {
          /** @description The last commit that is known; missing: 0. */
          from?: number;
          /** @description Its checksum: 409 where it is another one here. */
          chain?: number;
          /** @description Its history: 409 where this is another one. */
          epoch?: string;
          /** @description Longest wait for something new, in milliseconds; 20,000 at most, missing: 0. */
          waitMs?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Frames in a row; none where nothing came. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/octet-stream': string;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/package': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The namespace as one file: its graph, indexes, subgraphs, stored queries and plugins. */
    get: {
      parameters: {
        query?: {
          /** @description Whether it says which commit it ends with, for a replica that goes on from it. */
          anchored?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description A package. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/octet-stream': string;
          };
        };
      };
    };
    put?: never;
    /** Fills an empty namespace from such a file. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: {
          'application/octet-stream': string;
        };
      };
      responses: {
        /** @description It is there. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['OpenedPackage'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/path/{from}/to/{to}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Shortest paths between two vertices. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex to start from. */
          from: number;
          /** @description Id of the vertex to arrive at. */
          to: number;
        };
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PathSpecification'];
        };
      };
      responses: {
        /** @description The paths; none when there is no way. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Path'][];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All registered plugins. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description By name. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Plugin'][];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/algorithm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Registers an algorithm. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['AlgorithmPluginSpecification'];
        };
      };
      responses: {
        /** @description Registered. */
        201: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Plugin'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/algorithm/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Compiles an algorithm. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PluginValidationRequest'];
        };
      };
      responses: {
        /** @description What the compiler, or the contract, has against it. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['PluginValidation'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/function': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Registers a function. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['FunctionPluginSpecification'];
        };
      };
      responses: {
        /** @description Registered. */
        201: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Plugin'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/function/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Compiles a function. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PluginValidationRequest'];
        };
      };
      responses: {
        /** @description What the compiler, or the contract, has against it. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['PluginValidation'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/function/{name}/invoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Calls a function. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the plugin. */
          name: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody?: {
        content: {
          'application/json; ver=0.1': components['schemas']['FunctionInvocation'];
        };
      };
      responses: {
        /** @description The elements that it answers. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GraphPage'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/plugins/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One plugin with its source. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the plugin. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The plugin. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['PluginDetail'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Deletes a plugin. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the plugin. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/save': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Writes a checkpoint of the namespace. */
    put: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody?: {
        content: {
          'application/json; ver=0.1': components['schemas']['SaveSpecification'];
        };
      };
      responses: {
        /** @description The checkpoint is written and registered. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SaveGame'];
          };
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/graph/properties': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements of which any property value contains a text, in any case. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['AnyPropertyScanSpecification'];
        };
      };
      responses: {
        /** @description Ids of the elements that match, ascending. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/graph/property/{propertyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements whose property compares to a literal as asked. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Key of the property. */
          propertyId: string;
        };
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PropertyScanSpecification'];
        };
      };
      responses: {
        /** @description Ids of the elements that match, ascending. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/index/all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements of an index whose key compares to a literal as asked. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['IndexScanSpecification'];
        };
      };
      responses: {
        /** @description Ids of the elements found; none for an unknown index or one of another kind. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/index/fulltext': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements of a fulltext index whose key matches a regular expression. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['FulltextIndexScanSpecification'];
        };
      };
      responses: {
        /** @description Elements with score and highlights. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['FulltextSearchResult'];
          };
        };
        /** @description No match, no such index, or one of another kind. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/index/range': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements of a range index between two keys. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['RangeIndexScanSpecification'];
        };
      };
      responses: {
        /** @description Ids of the elements found; none for an unknown index or one of another kind. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/index/spatial': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Elements of a spatial index within a distance of one of them. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['SpatialIndexScanSpecification'];
        };
      };
      responses: {
        /** @description Ids of the elements. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
        /** @description Nothing in reach, no such index or element, or an index of another kind. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/scan/index/vector': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The k nearest elements of a vector index, exactly. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['VectorScanSpecification'];
        };
      };
      responses: {
        /** @description The elements and their scores. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['VectorScanResult'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/service': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Starts a service. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['PluginSpecification'];
        };
      };
      responses: {
        /** @description False: there are no types of services. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/service/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Ends a service. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the service. */
          key: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description False: there is no such service. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': boolean;
          };
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/statistics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The shape of the graph in numbers. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The numbers. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Statistics'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What the service and the namespace are and have. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Read in no time: no element is looked at. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Status'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/storedquery': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All stored queries. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description By name. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StoredQuery'][];
          };
        };
      };
    };
    put?: never;
    /** Registers fragments under a name and compiles them. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['StoredQuerySpecification'];
        };
      };
      responses: {
        /** @description Registered. */
        201: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StoredQuery'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/storedquery/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One stored query with its source. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the stored query. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The stored query. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['StoredQueryDetail'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Deletes a stored query. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the stored query. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/subgraph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Names of all subgraphs. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The names. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': string[];
          };
        };
      };
    };
    /** Extracts a subgraph and registers it. */
    put: {
      parameters: {
        query?: {
          /** @description Subgraph to extract it from, instead of the graph. */
          fromSubGraph?: string;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 1048576 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['SubGraphSpecification'];
        };
      };
      responses: {
        /** @description Registered. */
        201: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SubGraph'];
          };
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/subgraph/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One subgraph. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the subgraph. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The subgraph. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SubGraph'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    /** Deletes a subgraph. */
    delete: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the subgraph. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/subgraph/{name}/graph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The first vertices and edges of a subgraph, by its own ids. */
    get: {
      parameters: {
        query?: {
          /** @description Most vertices, and most edges: 0 to 100000. */
          maxElements?: number;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the subgraph. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Vertices and edges by ascending id. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['GraphPage'];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/subgraph/{name}/recalculate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Extracts a subgraph again. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Name of the subgraph. */
          name: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description With its new contents. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SubGraph'];
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tabularasa': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Erases the graph: elements, ids and indexes. */
    head: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The graph is empty. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    patch?: never;
    trace?: never;
  };
  '/topology': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The edges between vertices, the ends of edges, or the next edges of a vertex, as numbers. */
    post: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['TopologySpecification'];
        };
      };
      responses: {
        /** @description Vertices that there are, and edges. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/octet-stream': string;
          };
        };
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/trim': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Gives memory back that removed elements held; ids may change. */
    head: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Done. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    patch?: never;
    trace?: never;
  };
  '/unittest': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Adds five people and six edges to the graph. */
    put: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description They are there. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Creates a vertex. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody?: {
        content: {
          'application/json; ver=0.1': components['schemas']['VertexSpecification'];
        };
      };
      responses: {
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/count': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of vertices. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One vertex by its id. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The vertex. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['Vertex'];
          };
        };
        /** @description There is no such vertex. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/in': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Types of the incoming edges of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The types. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': string[];
          };
        };
        /** @description There is no such vertex. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/in/{edgePropertyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Ids of the incoming edges of one type of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
          /** @description Type of the edges. */
          edgePropertyId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The ids. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
        /** @description There is no such vertex, or no such edge. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/in/{edgePropertyId}/degree': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of incoming edges of one type of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
          /** @description Type of the edges. */
          edgePropertyId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number; 0 when there are none of this type. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/indegree': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of incoming edges of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/out': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Types of the outgoing edges of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The types. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': string[];
          };
        };
        /** @description There is no such vertex. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/out/{edgePropertyId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Ids of the outgoing edges of one type of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
          /** @description Type of the edges. */
          edgePropertyId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The ids. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
        /** @description There is no such vertex, or no such edge. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/out/{edgePropertyId}/degree': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of outgoing edges of one type of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
          /** @description Type of the edges. */
          edgePropertyId: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number; 0 when there are none of this type. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertex/{id}/edges/outdegree': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Number of outgoing edges of a vertex. */
    get: {
      parameters: {
        query?: {
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path: {
          /** @description Id of the vertex. */
          id: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The number. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number;
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vertices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Creates vertices in one transaction. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Of a service that is followed or follows: answers when this commit is there, 503 when it has not come in time. A number, or a whole x-arcwise-position. */
          atLeast?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      /** @description At most 30000000 bytes. */
      requestBody: {
        content: {
          'application/json; ver=0.1': components['schemas']['VertexSpecification'][];
        };
      };
      responses: {
        /** @description Waited for: the new ids, in the order of the request. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': number[];
          };
        };
        /** @description Accepted; when waited for, committed. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/save/all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Writes a checkpoint of every loaded namespace. */
    put: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description They are written and registered as one entry. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SaveGame'];
          };
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/savegames': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** All registered save games. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Newest first. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SaveGame'][];
          };
        };
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/savegames/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One save game. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          /** @description Id of the save game. */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description The save game. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SaveGame'];
          };
        };
        /** @description There is no such save game. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    put?: never;
    post?: never;
    /** Takes a save game out of the registry. */
    delete: {
      parameters: {
        query?: {
          /** @description Deletes its files as well. */
          deleteFiles?: boolean;
        };
        header?: never;
        path: {
          /** @description Id of the save game. */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description It is gone. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/savegames/{id}/load': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Restores the namespaces of a save game. */
    put: {
      parameters: {
        query?: {
          /** @description Answer when the write is on disk, and say so when it was refused; otherwise it is accepted at once. */
          waitForCompletion?: boolean;
          /** @description Restores only this one. */
          namespace?: string;
        };
        header?: never;
        path: {
          /** @description Id of the save game. */
          id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Waited for: restored. */
        200: {
          headers: {
            [name: string]: unknown;
          };
          content: {
            'application/json': components['schemas']['SaveGame'];
          };
        };
        /** @description Accepted. */
        202: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/tabularasa/all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    /** Erases the default namespace and drops every other one. */
    head: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        /** @description Only the default namespace is left, and it is empty. */
        204: {
          headers: {
            [name: string]: unknown;
          };
          content?: never;
        };
      };
    };
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    AlgorithmPluginSpecification: {
      name: string;
      /** @default null */
      description?: string | null;
      sourceCode: string;
      /** @description Path, SubGraph or Analytics. */
      contract: string;
    };
    /** @description One of results and partitions has rows, the other is null. */
    AnalyticsResult: {
      algorithm: string;
      converged: boolean;
      iterationsRun: number;
      elapsedMs: number;
      budgetExhausted: boolean;
      vertexCount: number;
      statistics: {
        [key: string]: number | null;
      };
      results:
        | {
            /** @description Names one element of the namespace, vertex or edge. */
            graphElementId: number;
            score: number | null;
          }[]
        | null;
      partitions:
        | {
            /** @description Names one element of the namespace, vertex or edge. */
            partitionId: number;
            size: number;
          }[]
        | null;
      writeBack: {
        propertyKey: string;
        verticesWritten: number;
        chunks: number;
      } | null;
    };
    AnalyticsSpecification: {
      /** @default null */
      vertexLabel?: string | null;
      /** @default null */
      edgePropertyId?: string | null;
      /**
       * @description in, out or both.
       * @default null
       */
      direction?: string | null;
      /** @default null */
      maxIterations?: (number | string) | null;
      /** @default null */
      epsilon?: (number | string) | null;
      /** @default null */
      parameters?: {
        [key: string]: number | string;
      } | null;
      /** @default null */
      timeBudgetSeconds?: (number | string) | null;
      /** @default null */
      maxResults?: (number | string) | null;
      /** @default null */
      offset?: (number | string) | null;
      /** @default null */
      writeBack?: boolean | null;
      /** @default null */
      writeBackPropertyKey?: string | null;
      /** @default null */
      weightPropertyId?: string | null;
    };
    AnyPropertyScanSpecification: {
      searchTerm: string;
      /** @default null */
      label?: string | null;
      /**
       * @default Both
       * @enum {string}
       */
      resultType?: 'Vertices' | 'Edges' | 'Both';
    };
    /** @description Edges a second over all iterations. */
    BenchmarkResult: {
      /** @description Those that were done: fewer where they take too long. */
      iterations: number;
      /** @description In each iteration. */
      edgesTraversed: number;
      averageTps: number | null;
      medianTps: number | null;
      standardDeviationTps: number | null;
    };
    /** @description Either content or toolCalls. */
    ChatCompletion: {
      backend: string;
      model: string;
      content?: string;
      toolCalls?: {
        id: string;
        name: string;
        arguments: unknown;
      }[];
      stats: {
        promptTokens: number | null;
        completionTokens: number | null;
        durationMs: number | null;
        tokensPerSecond: number | null;
      };
    };
    ChatMessage: {
      /**
       * @description system, user, assistant, tool; anything else is user.
       * @default null
       */
      role?: string | null;
      /** @default null */
      content?: string | null;
      /**
       * @description Of a result of a tool: the call it answers.
       * @default null
       */
      toolCallId?: string | null;
      /**
       * @description Of an assistant: what it called.
       * @default null
       */
      toolCalls?: components['schemas']['ChatToolCall'][] | null;
    };
    /** @description By ascending name; what the backend does not report is null. */
    ChatModels: {
      backend: string;
      models: {
        name: string;
        capability: string | null;
        available: boolean | null;
        class: string | null;
      }[];
    };
    ChatRequest: {
      /**
       * @description Chooses the model.
       * @default assist
       */
      purpose?: ('assist' | 'agent') | null;
      messages: components['schemas']['ChatMessage'][];
      /** @default null */
      tools?: components['schemas']['ChatTool'][] | null;
      /** @default null */
      temperature?: (number | string) | null;
      /** @default null */
      options?: {
        /** @default null */
        stop?: string[] | null;
        /** @default null */
        temperature?: (number | string) | null;
      } | null;
    };
    ChatStatus: {
      enabled: boolean;
      backend: string;
      model: string | null;
      agentModel: string | null;
      loaded: boolean;
      resident: boolean | null;
      gpu: boolean | null;
    };
    ChatTool: {
      name: string;
      /** @default null */
      description?: string | null;
      /** @description A JSON Schema of the arguments; missing: there are none. */
      parameters?: {
        [key: string]: unknown;
      } | null;
    };
    ChatToolCall: {
      id: string;
      name: string;
      /** @description As the model wrote them: JSON, or a text that is none. */
      arguments: unknown;
    };
    /** @description Of each namespace one node writes, and the others follow. */
    Cluster: {
      /** @description Where the other nodes find this one. */
      node: string | null;
      /**
       * @description In the namespace default.
       * @enum {string}
       */
      role: 'alone' | 'none' | 'replica' | 'writer';
      /** @description In which this node writes; 0 where it does not. */
      term: number;
      /** @description Where the writer is; null where that is not known. */
      writer: string | null;
      /** @description All nodes; one that was killed is among them until its logs are taken. */
      nodes: string[];
      namespaces: components['schemas']['ClusterNamespace'][];
    };
    /** @description Where a namespace is to be written: one of the nodes. */
    ClusterMove: {
      node: string;
    };
    /** @description A namespace, and the part that this node has in it. */
    ClusterNamespace: {
      name: string;
      /** @description Of its log. */
      id: string;
      /** @description Where it is to be written; null: wherever it is. */
      node: string | null;
      /** @enum {string} */
      role: 'none' | 'replica' | 'writer';
      /** @description In which this node writes; 0 where it does not. */
      term: number;
      /** @description Where the writer is; null where that is not known. */
      writer: string | null;
      /** @description Whether this node is ready to take it from its writer. */
      isNext: boolean;
      /** @description Whether its graph follows here and the log has been read, so that it could be taken at once. */
      isReady: boolean;
    };
    Configuration: {
      settings: components['schemas']['Setting'][];
      pendingRestart: components['schemas']['PendingRestart'][];
      configWriteEnabled: boolean;
      semantic: {
        embedding: components['schemas']['EmbeddingStatus'];
        chat: components['schemas']['ChatStatus'];
      };
      observability: {
        otlpEnabled: boolean;
        otlpEndpoint: string | null;
        prometheusEnabled: boolean;
        prometheusRequireApiKey: boolean;
        tracingSamplingRatio: number;
        statisticsElementBudget: number;
        statisticsTopN: number;
      };
      apiKeyRequired: boolean;
    };
    ConfigurationChange: {
      /** @description By key. */
      results: components['schemas']['SettingChange'][];
      pendingRestart: components['schemas']['PendingRestart'][];
    };
    ConfigurationUpdate: {
      /** @description Texts by full keys; null takes a written text away. */
      settings: {
        [key: string]: string | null;
      };
    };
    DegreeSpread: {
      min: number;
      max: number;
      mean: number;
      p50: number;
      p90: number;
      p99: number;
    };
    DelegateValidationResult: {
      /** @description True without errors; warnings may be there. */
      valid: boolean;
      diagnostics: components['schemas']['Diagnostic'][];
    };
    DelegateValidationSpecification: {
      /** @description One of VertexFilter, EdgeFilter, EdgePropertyFilter, VertexCost, EdgeCost, GraphElementFilter, in any case. */
      delegateKind: string;
      /** @default null */
      fragment?: string | null;
    };
    /** @description Positions count from 1. */
    Diagnostic: {
      line: number;
      column: number;
      endLine: number;
      endColumn: number;
      id: string;
      message: string;
      /** @enum {string} */
      severity: 'error' | 'warning' | 'info';
    };
    Document: {
      /** @description Names one element of the namespace, vertex or edge. */
      documentId: number;
      name: string | null;
      sourceFormat: string | null;
      sourceUri: string | null;
      /** @description processing, indexed or failed. */
      status: string | null;
      error: string | null;
      chunkCount: number;
      pageCount: number | null;
      /** @description SHA-256 of the bytes, in lower-case hexadecimal. */
      contentHash: string | null;
      converter: string | null;
      chunkerConfig: string | null;
      embeddingModel: string | null;
      embeddingDimension: number | null;
      embedded: boolean;
      embeddingModelStale: boolean;
    };
    DocumentBinding: {
      ready: boolean;
      vector: components['schemas']['DocumentBindingRole'];
      fulltext: components['schemas']['DocumentBindingRole'];
      entity: components['schemas']['DocumentBindingRole'];
    };
    DocumentBindingRole: {
      /** @enum {string} */
      role: 'vector' | 'fulltext' | 'entity';
      indexId: string;
      required: boolean;
      exists: boolean;
      ready: boolean;
      detail: string | null;
    };
    DocumentDetail: {
      summary: components['schemas']['Document'];
      chunks: {
        /** @description Names one element of the namespace, vertex or edge. */
        chunkId: number;
        order: number;
        kind: string | null;
        headingPath: string | null;
        pageFrom: number | null;
        pageTo: number | null;
        identifiers: string[] | null;
        textPreview: string;
      }[];
    };
    DocumentEntities: {
      entities: {
        /** @description Names one element of the namespace, vertex or edge. */
        id: number;
        text: string;
        type: string;
        mentionCount: number;
      }[];
      total: number;
    };
    DocumentHit: {
      /** @description Names one element of the namespace, vertex or edge. */
      chunkId: number;
      /** @description Names one element of the namespace, vertex or edge. */
      documentId: number;
      score: number;
      order: number;
      text: string;
      headingPath: string | null;
      pageFrom: number | null;
      pageTo: number | null;
      identifiers: string[] | null;
      window:
        | {
            /** @description Names one element of the namespace, vertex or edge. */
            chunkId: number;
            order: number;
            text: string;
          }[]
        | null;
    };
    /** @description Indexes whose keys the identifiers of chunks are looked up in. */
    DocumentLink: {
      indexIds: string[];
      /** @default null */
      maxLinksPerChunk?: (number | string) | null;
    };
    DocumentList: {
      documents: components['schemas']['Document'][];
      namespaceChunkCount: number;
      chunkCeiling: number;
      currentEmbeddingModel: string | null;
    };
    DocumentSearchResult: {
      /** @enum {string} */
      modeUsed: 'fused' | 'dense' | 'lexical';
      hits: components['schemas']['DocumentHit'][] | null;
      documents:
        | {
            document: components['schemas']['Document'];
            bestScore: number;
            chunks: components['schemas']['DocumentHit'][];
          }[]
        | null;
    };
    DocumentSearchSpecification: {
      /** @default null */
      queryText?: string | null;
      /** @default null */
      queryVector?: (number | string)[] | null;
      /**
       * @description fused, dense or lexical; missing: fused.
       * @default null
       */
      mode?: string | null;
      /** @default 10 */
      k?: number | string;
      /** @default 0 */
      window?: number | string;
      /** @default false */
      groupByDocument?: boolean;
    };
    DocumentText: {
      /**
       * @description Not blank.
       * @default null
       */
      name?: string | null;
      /**
       * @description Not blank.
       * @default null
       */
      text?: string | null;
      /**
       * @description markdown or plain; missing: markdown.
       * @default null
       */
      format?: string | null;
      /** @default true */
      embed?: boolean;
      /** @default null */
      properties?: {
        [key: string]: string;
      } | null;
      /** @default null */
      sourceUri?: string | null;
      /** @default null */
      replaceDocumentId?: (number | string) | null;
      /** @default null */
      link?: components['schemas']['DocumentLink'] | null;
    };
    DocumentUpload: {
      /** Format: binary */
      file: string;
      name?: string;
      embed?: boolean;
      sourceUri?: string;
      replaceDocumentId?: number;
      propertiesJson?: string;
      linkJson?: string;
    };
    DurabilityStatus: {
      walEnabled: boolean;
      degraded: boolean;
      recoveryRan: boolean;
      lastRecoveryTruncated: boolean;
      lastRecoveryReplayedEntries: number;
      lastCheckpointDroppedIndices: number;
    };
    /** @description An edge with its ends, type and properties. */
    Edge: {
      /** @description Names one element of the namespace, vertex or edge. */
      id: number;
      /** @description ISO 8601, UTC. */
      creationDate: string;
      /** @description ISO 8601, UTC. */
      modificationDate: string;
      label: string | null;
      properties: components['schemas']['Property'][];
      /** @description The type of the edge. */
      edgePropertyId: string;
      /** @description Names one element of the namespace, vertex or edge. */
      sourceVertex: number;
      /** @description Names one element of the namespace, vertex or edge. */
      targetVertex: number;
    };
    /** @description An edge to be created; edgePropertyId is its type. */
    EdgeSpecification: {
      sourceVertex: number | string;
      targetVertex: number | string;
      edgePropertyId: string;
      /**
       * @description Seconds since 1970, UTC.
       * @default 0
       */
      creationDate?: number | string;
      /** @default null */
      label?: string | null;
      /** @default null */
      properties?: components['schemas']['PropertySpecification'][] | null;
    };
    /** @description Elements in the order they were asked for, and the ids that name none. */
    ElementPage: {
      elements: components['schemas']['ElementSummary'][];
      notFound: number[];
    };
    ElementSummary: {
      /** @enum {string} */
      kind: 'vertex' | 'edge';
      /** @description Names one element of the namespace, vertex or edge. */
      id: number;
      /** @description ISO 8601, UTC. */
      creationDate: string;
      /** @description ISO 8601, UTC. */
      modificationDate: string;
      label: string | null;
      properties: components['schemas']['Property'][];
    };
    ElementText: {
      graphElementId: number | string;
      text: string;
      /** @default default */
      name?: string;
    };
    ElementTexts: {
      /** @default default */
      name?: string;
      items: {
        graphElementId: number | string;
        text: string;
      }[];
    };
    Embedding: {
      name: string;
      /** @description Null stands for a component JSON has no number for. */
      vector: (number | null)[];
      /** @description Stamp of the provider; null for a vector of the caller's own. */
      model: string | null;
    };
    EmbeddingSpecification: {
      /** @default null */
      vector?: (number | string)[] | null;
    };
    EmbeddingStatus: {
      enabled: boolean;
      backend: string;
      modelName: string;
      modelVersion: string;
      dimension: number;
      intendedMetric: string;
      loaded: boolean;
      resident: boolean | null;
      gpu: boolean | null;
    };
    FulltextIndexScanSpecification: {
      indexId: string;
      /** @description A regular expression. */
      requestString: string;
    };
    FulltextSearchResult: {
      maximumScore: number;
      elements: {
        /** @description Names one element of the namespace, vertex or edge. */
        graphElementId: number;
        highlights: string[];
        score: number;
      }[];
    };
    FunctionInvocation: {
      /** @default null */
      parameters?: {
        [key: string]: string;
      } | null;
    };
    FunctionPluginSpecification: {
      name: string;
      /** @default null */
      description?: string | null;
      sourceCode: string;
    };
    GenerationResult: {
      namespace: string;
      verticesCreated: number;
      edgesCreated: number;
      /** @enum {string} */
      distribution: 'uniform' | 'preferential';
      elapsedMilliseconds: number;
      vertexCountAfter: number;
      edgeCountAfter: number;
    };
    /** @description The first vertices and edges by id; each list has its own bound. */
    GraphPage: {
      vertices: components['schemas']['Vertex'][];
      edges: components['schemas']['Edge'][];
    };
    /** @description Equal for equal states, whatever their history. */
    HashedState: {
      /** @description 32 hexadecimal digits. */
      hash: string;
      position: components['schemas']['HistoryPosition'] | null;
    };
    /** @description The last commit of a state. */
    HistoryPosition: {
      /** @description The history, 32 hexadecimal digits. */
      epoch: string;
      sequence: number;
      /** @description Checksum of the log up to there. */
      chain: number;
    };
    /** @description linesRead counts every line, blank ones and the first too. */
    ImportResult: {
      verticesCreated: number;
      edgesCreated: number;
      linesRead: number;
      durable: boolean;
    };
    IndexAddToSpecification: {
      /** @default 0 */
      graphElementId?: number | string;
      key: components['schemas']['TypedValue'];
    };
    IndexBackfillResult: {
      indexId: string;
      propertyId: string;
      replaced: boolean;
      scannedElements: number;
      indexedElements: number;
      skippedUnindexableValues: number;
    };
    IndexBackfillSpecification: {
      propertyId: string;
      /** @default false */
      replace?: boolean;
      /** @default false */
      prefix?: boolean;
      /** @default null */
      label?: string | null;
    };
    IndexScanSpecification: {
      indexId: string;
      /**
       * @description Equals 0, Greater 1, GreaterOrEquals 2, Lower 3, LowerOrEquals 4, NotEquals 5.
       * @default 0
       */
      operator?: number | string;
      literal: components['schemas']['Literal'];
      /** @default null */
      label?: string | null;
      /**
       * @default Vertices
       * @enum {string}
       */
      resultType?: 'Vertices' | 'Edges' | 'Both';
    };
    IndexStatus: {
      indexId: string;
      pluginType: string;
      embeddingName: string | null;
      model: string | null;
      capabilities: ('equality' | 'range' | 'fulltext' | 'vector' | 'spatial')[];
      keys: number | null;
      values: number | null;
    };
    IngestionStatus: {
      enabled: boolean;
      textFormats: string[];
      binaryFormats: string[];
      docling: {
        configured: boolean;
        reachable: boolean;
      };
      limits: {
        maxUploadBytes: number;
        maxPages: number;
        maxChunksPerDocument: number;
        maxChunksPerNamespace: number;
        maxLinksPerChunk: number;
      };
      embeddingName: string;
      vectorIndexId: string | null;
      fulltextIndexId: string | null;
    };
    /** @description Handed on as it is. */
    IntegrationRequest: {
      [key: string]: unknown;
    };
    /** @description A typed value to compare with. */
    Literal: {
      value: string;
      /** @default null */
      fullQualifiedTypeName?: string | null;
    };
    LoadSpecification: {
      saveGameLocation: string;
      /** @default true */
      startServices?: boolean;
    };
    /** @description How far the load is; null where the phase is not counted in bytes. */
    LoadState: {
      /** @enum {string} */
      phase: 'checkpoint' | 'log' | 'edges';
      bytesDone: number | null;
      bytesTotal: number | null;
    };
    MemoryUse: {
      /** @description All that the namespace holds, free room in it included. */
      heldBytes: number;
      /** @description `Memory:MaxBytesPerNamespace`, or what 32-bit addresses reach. */
      limitBytes: number;
      elements: number;
      adjacency: number;
      properties: number;
      strings: number;
      indexes: number;
      /** @description Kept between analytics runs; given up when something else needs the room. */
      projections: number;
      scratch: number;
      system: number;
    };
    /** @description The most frequent names, of long ones the first 1,000 characters and an ellipsis, and how many there are. */
    NameTally: {
      top: {
        name: string;
        count: number;
      }[];
      distinctTotal: number;
    };
    /** @description The value of a property whose key stands in the path. */
    NamedPropertySpecification: {
      /** @description Not used: the key is that of the path. */
      propertyId?: string;
      /**
       * @description The value as text, by invariant culture.
       * @default 1000
       */
      propertyValue?: string;
      /**
       * @description One of the 18 types, such as System.String.
       * @default System.Int32
       */
      fullQualifiedTypeName?: string;
    };
    /** @description Counts are null while it is not loaded. */
    Namespace: {
      name: string;
      /** @enum {string} */
      state: 'ready' | 'notLoaded';
      vertexCount: number | null;
      edgeCount: number | null;
      createdAt: string;
      pluginRegistrationEnabled: boolean | null;
      loadOnStartupEnabled: boolean | null;
    };
    NamespaceActivation: {
      namespace: components['schemas']['Namespace'];
      activated: boolean;
      detail: string;
    };
    NamespaceList: {
      namespaces: components['schemas']['Namespace'][];
      maxNamespaces: number;
      loadOnStartupDefault: boolean;
      /** @enum {string} */
      startupLoadMode: 'catalog' | 'all' | 'defaultOnly';
    };
    /** @description At least one member. */
    NamespaceUpdate: {
      /** @default null */
      name?: string | null;
      /**
       * @description enabled, disabled or inherit.
       * @default null
       */
      pluginRegistration?: string | null;
      /**
       * @description enabled, disabled or inherit.
       * @default null
       */
      loadOnStartup?: string | null;
    };
    NlpStatus: {
      enabled: boolean;
      configured: boolean;
      reachable: boolean;
    };
    /** @description What the namespace holds now. */
    OpenedPackage: {
      vertexCount: number;
      edgeCount: number;
      durable: boolean;
    };
    PartitionMembers: {
      /** @description Names one element of the namespace, vertex or edge. */
      partitionId: number;
      size: number;
      offset: number;
      members: number[];
    };
    Path: {
      pathElements: components['schemas']['PathElement'][];
      totalWeight: number;
    };
    /** @description A missing fragment costs 1 a step. */
    PathCost: {
      /** @description A C# fragment. */
      vertexCost?: string | null;
      /** @description A C# fragment. */
      edgeCost?: string | null;
    };
    PathElement: {
      /** @description Names one element of the namespace, vertex or edge. */
      sourceVertexId: number;
      /** @description Names one element of the namespace, vertex or edge. */
      targetVertexId: number;
      /** @description Names one element of the namespace, vertex or edge. */
      edgeId: number;
      edgePropertyId: string;
      /** @description 0 against the direction of the edge, 1 with it. */
      direction: number;
      weight: number;
    };
    /** @description A missing fragment lets everything pass. */
    PathFilter: {
      /** @description A C# fragment. */
      vertexFilter?: string | null;
      /** @description A C# fragment. */
      edgeFilter?: string | null;
      /** @description A C# fragment. */
      edgePropertyFilter?: string | null;
    };
    PathSpecification: {
      /**
       * @description BLS, DIJKSTRA, or a registered plugin.
       * @default BLS
       */
      pathAlgorithmName?: string;
      /** @default 7 */
      maxDepth?: number | string;
      /** @default 65535 */
      maxResults?: number | string;
      /** @default null */
      maxPathWeight?: (number | string) | null;
      /** @default null */
      filter?: components['schemas']['PathFilter'] | null;
      /** @default null */
      cost?: components['schemas']['PathCost'] | null;
      /** @default null */
      storedQuery?: string | null;
      /** @default null */
      semantic?: components['schemas']['SemanticSpecification'] | null;
      /** @default null */
      timeBudgetSeconds?: (number | string) | null;
    };
    /** @description What a path request would carry. */
    PathTemplate: {
      filter?: components['schemas']['PathFilter'] | null;
      cost?: components['schemas']['PathCost'] | null;
    };
    PatternStep: {
      /** @description Vertex, Edge or VariableLengthEdge. */
      type?: string | null;
      patternName?: string | null;
      /** @description A C# fragment. */
      vertexFilter?: string | null;
      semanticMinScore?: (number | string) | null;
      /** @description OutgoingEdge, IncomingEdge or UndirectedEdge. */
      direction?: string | null;
      /** @description A C# fragment. */
      edgePropertyFilter?: string | null;
      /** @description A C# fragment. */
      edgeFilter?: string | null;
      minLength?: (number | string) | null;
      maxLength?: (number | string) | null;
    };
    PendingRestart: {
      key: string;
      runningValue: string | null;
      pendingValue: string | null;
    };
    Plugin: {
      name: string;
      /** @enum {string} */
      category: 'Algorithm' | 'Function' | 'Index' | 'Service';
      /** @enum {string} */
      contract: 'Path' | 'SubGraph' | 'Analytics' | 'GraphFunction' | 'Index' | 'Service';
      description: string | null;
      createdAt: string;
      /** @enum {string} */
      compileState: 'Compiled' | 'Failed' | 'SourceOnly';
    };
    PluginDetail: {
      name: string;
      /** @enum {string} */
      category: 'Algorithm' | 'Function' | 'Index' | 'Service';
      /** @enum {string} */
      contract: 'Path' | 'SubGraph' | 'Analytics' | 'GraphFunction' | 'Index' | 'Service';
      description: string | null;
      createdAt: string;
      /** @enum {string} */
      compileState: 'Compiled' | 'Failed' | 'SourceOnly';
      sourceCode: string;
      compileDiagnostics: string | null;
    };
    PluginSpecification: {
      /** @default indexService1 */
      uniqueId?: string;
      /** @default DictionaryIndex */
      pluginType?: string;
      /**
       * @description Creation options by name; names are case-sensitive.
       * @default null
       */
      pluginOptions?: {
        [key: string]: components['schemas']['TypedValue'];
      } | null;
    };
    /** @description Whether the source would be registered, were its name free. */
    PluginValidation: {
      valid: boolean;
      error: string | null;
    };
    PluginValidationRequest: {
      /** @default null */
      name?: string | null;
      /** @default null */
      contract?: string | null;
      /** @default null */
      description?: string | null;
      /** @default null */
      sourceCode?: string | null;
    };
    ProblemAnalyticsBudgetExhausted: {
      /** @constant */
      title: 'Analytics budget exhausted';
      /** @constant */
      status: 408;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemAnalyticsSlotsExhausted: {
      /** @constant */
      title: 'Analytics run slots exhausted';
      /** @constant */
      status: 429;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemAnalyticsWriteBackFailed: {
      /** @constant */
      title: 'Analytics write-back failed mid-way';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      propertyKey: string;
      verticesWritten: number;
      chunks: number;
    };
    ProblemBadRequest: {
      /** @constant */
      title: 'Bad Request';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      elementId?: number;
    };
    ProblemBodyTooLarge: {
      /** @constant */
      title: 'Content Too Large';
      /** @constant */
      status: 413;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChangeFeedDisabled: {
      /** @constant */
      title: 'Change feed disabled';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChangeFeedFilterInvalid: {
      /** @constant */
      title: 'Invalid change feed filter';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChangeFeedUnavailable: {
      /** @constant */
      title: 'Change feed unavailable';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChatOutputInvalid: {
      /** @constant */
      title: 'Chat backend produced no output';
      /** @constant */
      status: 502;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChatTimedOut: {
      /** @constant */
      title: 'Chat backend timed out';
      /** @constant */
      status: 504;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChatUnavailable: {
      /** @constant */
      title: 'Chat provider unavailable';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemChunkCeiling: {
      /** @constant */
      title: 'Chunk ceiling reached';
      /** @constant */
      status: 507;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemConflict: {
      /** @constant */
      title: 'Conflict';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
      /** @description What a fragment threw, unless Errors:HideDetails. */
      exception?: string;
    };
    ProblemConversionUnavailable: {
      /** @constant */
      title: 'Document conversion unavailable';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemDenseUnavailable: {
      /** @constant */
      title: 'Dense side unavailable';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemDimensionConflict: {
      /** @constant */
      title: 'Dimension conflict';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemDimensionMismatch: {
      /** @constant */
      title: 'Dimension mismatch';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemDuplicateContent: {
      /** @constant */
      title: 'Duplicate content';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingBatchFailed: {
      /** @constant */
      title: 'Embedding batch rolled back';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingBatchMissed: {
      /** @constant */
      title: 'Embedding batch rolled back';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingConflict: {
      /** @constant */
      title: 'Embedding contract conflict';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingOff: {
      /** @constant */
      title: 'Embedding provider disabled';
      /** @constant */
      status: 403;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingOutputInvalid: {
      /** @constant */
      title: 'Embedding backend produced invalid output';
      /** @constant */
      status: 502;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingUnavailable: {
      /** @constant */
      title: 'Embedding provider unavailable';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingWriteFailed: {
      /** @constant */
      title: 'Embedding write rolled back';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemEmbeddingWriteMissed: {
      /** @constant */
      title: 'Embedding write rolled back';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemForbidden: {
      /** @constant */
      title: 'Forbidden';
      /** @constant */
      status: 403;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemGenerationOvertaken: {
      /** @constant */
      title: 'Generation overtaken';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemImportAborted: {
      /** @constant */
      title: 'Import aborted';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportBatchFailed: {
      /** @constant */
      title: 'Import batch rolled back';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportBatchInvalid: {
      /** @constant */
      title: 'Import batch rolled back';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportBodyTooLarge: {
      /** @constant */
      title: 'Import body too large';
      /** @constant */
      status: 413;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportLineInvalid: {
      /** @constant */
      title: 'Invalid import line';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportLineTooLong: {
      /** @constant */
      title: 'Import line too long';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      lineNumber?: number;
      verticesCommitted: number;
      edgesCommitted: number;
      durable: boolean;
    };
    ProblemImportNeedsEmptyGraph: {
      /** @constant */
      title: 'Import requires an empty graph';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemIndexShape: {
      /** @constant */
      title: 'Index shape conflict';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemInternal: {
      /** @constant */
      title: 'Internal Server Error';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      /** @description What a fragment threw, unless Errors:HideDetails. */
      exception?: string;
    };
    ProblemInvalidK: {
      /** @constant */
      title: 'Invalid k';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemInvalidMode: {
      /** @constant */
      title: 'Invalid mode';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemInvalidWindow: {
      /** @constant */
      title: 'Invalid window';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemKnnInvalid: {
      /** @constant */
      title: 'Invalid kNN query';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLayerNotBound: {
      /** @constant */
      title: 'Semantic layer not bound';
      /** @constant */
      status: 428;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLexicalUnavailable: {
      /** @constant */
      title: 'Lexical side unavailable';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLinkCapInvalid: {
      /** @constant */
      title: 'Invalid link cap';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLinkIndexOther: {
      /** @constant */
      title: 'Link index not equality-capable';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLinkIndexUnknown: {
      /** @constant */
      title: 'Unknown link index';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemLoadOnStartupInvalid: {
      /** @constant */
      title: 'Invalid loadOnStartup';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemMemoryLimit: {
      /** @constant */
      title: 'Memory limit reached';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      neededBytes?: number;
      freeBytes?: number;
    };
    ProblemModelConflict: {
      /** @constant */
      title: 'Model identity conflict';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceActivationFailed: {
      /** @constant */
      title: 'Namespace activation failed';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      namespace: string;
      /** @constant */
      namespaceState: 'notLoaded';
    };
    ProblemNamespaceHasUnregisteredCheckpoints: {
      /** @constant */
      title: 'Namespace has unregistered checkpoints';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
      namespace: string;
      /** @constant */
      namespaceState: 'notLoaded';
    };
    ProblemNamespaceNameInUse: {
      /** @constant */
      title: 'Namespace name in use';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceNameInvalid: {
      /** @constant */
      title: 'Invalid namespace name';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceNotFound: {
      /** @constant */
      title: 'Namespace not found';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
      namespace: string;
    };
    ProblemNamespaceNotInSaveGame: {
      /** @constant */
      title: 'Namespace not in save game';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceNotLoaded: {
      /** @constant */
      title: 'Namespace not loaded';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
      namespace: string;
      /** @constant */
      namespaceState: 'notLoaded';
      loading?: components['schemas']['LoadState'];
    };
    ProblemNamespaceQuotaExceeded: {
      /** @constant */
      title: 'Namespace quota exceeded';
      /** @constant */
      status: 422;
      /** @description What was wrong, for people. */
      detail: string;
      maxNamespaces: number;
    };
    ProblemNamespaceRequired: {
      /** @constant */
      title: 'Namespace required';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceReserved: {
      /** @constant */
      title: 'Reserved namespace';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceRestoreFailed: {
      /** @constant */
      title: 'Namespace restore failed';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      activatedNamespaces?: string[];
    };
    ProblemNamespaceStorageFailed: {
      /** @constant */
      title: 'Namespace storage failed';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNamespaceUpdateInvalid: {
      /** @constant */
      title: 'Invalid namespace update';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNoLexicalQuery: {
      /** @constant */
      title: 'No lexical query';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNoQuery: {
      /** @constant */
      title: 'No query';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNoSide: {
      /** @constant */
      title: 'No side available';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemNotDurable: {
      /** @constant */
      title: 'Write not durable';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      /** @constant */
      durable: false;
    };
    ProblemNotExportable: {
      /** @constant */
      title: 'Graph not exportable';
      /** @constant */
      status: 422;
      /** @description What was wrong, for people. */
      detail: string;
      elementId: number;
      propertyKey: string;
    };
    ProblemNotFound: {
      /** @constant */
      title: 'Not Found';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemOverloaded: {
      /** @constant */
      title: 'Service overloaded';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemPackageInvalid: {
      /** @constant */
      title: 'Invalid package';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemPackageNeedsEmptyGraph: {
      /** @constant */
      title: 'Package requires an empty graph';
      /** @constant */
      status: 409;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemPathBudgetExhausted: {
      /** @constant */
      title: 'Path budget exhausted';
      /** @constant */
      status: 408;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemPluginRegistrationInvalid: {
      /** @constant */
      title: 'Invalid pluginRegistration';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemQueueFull: {
      /** @constant */
      title: 'Ingestion queue full';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
      documentId: number;
    };
    ProblemReplaceTargetMissing: {
      /** @constant */
      title: 'Replace target not found';
      /** @constant */
      status: 404;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemReplaceTargetOther: {
      /** @constant */
      title: 'Replace target is not a Document';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemRequestTimeout: {
      /** @constant */
      title: 'Request Timeout';
      /** @constant */
      status: 408;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemReservedKey: {
      /** @constant */
      title: 'Reserved property key';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemRestoreIncomplete: {
      /** @constant */
      title: 'Restore incomplete';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      failedNamespaces: string[];
      activatedNamespaces: string[];
    };
    ProblemSaveGameFilesMissing: {
      /** @constant */
      title: 'Save game files missing';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemSaveGameFilesUnreadable: {
      /** @constant */
      title: 'Save game files unreadable';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemSaveIncomplete: {
      /** @constant */
      title: 'Save incomplete';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
      failedNamespaces: string[];
      skippedNamespaces: string[];
    };
    ProblemSettingsNotStored: {
      /** @constant */
      title: 'Settings not stored';
      /** @constant */
      status: 500;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemSinceInvalid: {
      /** @constant */
      title: 'Invalid since position';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemSubscriberLimitReached: {
      /** @constant */
      title: 'Subscriber limit reached';
      /** @constant */
      status: 503;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemTextTooLarge: {
      /** @constant */
      title: 'Text too large';
      /** @constant */
      status: 413;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemTooManyRequests: {
      /** @constant */
      title: 'Too Many Requests';
      /** @constant */
      status: 429;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemUnauthorized: {
      /** @constant */
      title: 'Unauthorized';
      /** @constant */
      status: 401;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemUnsupportedMediaType: {
      /** @constant */
      title: 'Unsupported Media Type';
      /** @constant */
      status: 415;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemUnsupportedVersion: {
      /** @constant */
      title: 'Unsupported API version';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemUploadTooLarge: {
      /** @constant */
      title: 'Upload too large';
      /** @constant */
      status: 413;
      /** @description What was wrong, for people. */
      detail: string;
    };
    ProblemValidation: {
      /** @constant */
      title: 'One or more validation errors occurred.';
      /** @constant */
      status: 400;
      /** @description What was wrong, for people. */
      detail: string;
      /** @description What is wrong, by place in the body. */
      errors: {
        [key: string]: string[];
      };
    };
    /** @description A typed property as it is read. */
    Property: {
      /** @description The key. */
      propertyId: string;
      /** @description Name of the type, such as System.String. */
      fullQualifiedTypeName: string;
      /** @description The value as invariant text. */
      propertyValue: string;
    };
    /** @description Sets a property of an element, or removes it. */
    PropertyChange: {
      graphElementId: number | string;
      propertyId: string;
      /**
       * @description The value as text, by invariant culture.
       * @default 1000
       */
      propertyValue?: string;
      /**
       * @description One of the 18 types, such as System.String.
       * @default System.Int32
       */
      fullQualifiedTypeName?: string;
      /** @default false */
      remove?: boolean;
    };
    PropertyScanSpecification: {
      /**
       * @description Equals 0, Greater 1, GreaterOrEquals 2, Lower 3, LowerOrEquals 4, NotEquals 5.
       * @default 0
       */
      operator?: number | string;
      literal: components['schemas']['Literal'];
      /** @default null */
      label?: string | null;
      /**
       * @default Vertices
       * @enum {string}
       */
      resultType?: 'Vertices' | 'Edges' | 'Both';
    };
    /** @description An omitted member takes its default. */
    PropertySpecification: {
      /** @default cacheSize */
      propertyId?: string;
      /**
       * @description The value as text, by invariant culture.
       * @default 1000
       */
      propertyValue?: string;
      /**
       * @description One of the 18 types, such as System.String.
       * @default System.Int32
       */
      fullQualifiedTypeName?: string;
    };
    RangeIndexScanSpecification: {
      indexId: string;
      leftLimit: string;
      rightLimit: string;
      fullQualifiedTypeName: string;
      /** @default false */
      includeLeft?: boolean;
      /** @default false */
      includeRight?: boolean;
      /**
       * @default Vertices
       * @enum {string}
       */
      resultType?: 'Vertices' | 'Edges' | 'Both';
    };
    /** @description A checkpoint as the registry knows it. */
    SaveGame: {
      id: string;
      savedAt: string;
      /** @enum {string} */
      trigger: 'api' | 'shutdown' | 'imported';
      location: string | null;
      fileCount: number;
      totalBytes: number;
      engineVersion: string;
      kpis: components['schemas']['SaveGameKpis'];
      namespaces:
        | {
            name: string;
            id: string;
            location: string;
            fileCount: number;
            totalBytes: number;
            kpis: components['schemas']['SaveGameKpis'];
          }[]
        | null;
      skippedNamespaces?: string[];
      activatedNamespaces?: string[];
    };
    SaveGameIndex: {
      indexId: string;
      pluginType: string;
      embeddingName?: null;
      model?: null;
      capabilities?: null;
      keys?: null;
      values?: null;
    };
    SaveGameKpis: {
      vertexCount: number;
      edgeCount: number;
      usedMemoryBytes: number;
      indices: components['schemas']['SaveGameIndex'][];
      availableIndexPlugins: string[];
      availablePathPlugins: string[];
      availableServicePlugins: string[];
      subGraphs: string[];
    };
    SaveSpecification: {
      /** @default null */
      saveGameLocation?: string | null;
      /** @default null */
      savePartitions?: (number | string) | null;
    };
    /** @description Exactly one of queryVector and queryText. */
    SemanticSpecification: {
      /** @default null */
      queryVector?: (number | string)[] | null;
      /** @default null */
      queryText?: string | null;
      /** @default null */
      embeddingName?: string | null;
      /**
       * @description Cosine, DotProduct or L2.
       * @default null
       */
      metric?: string | null;
      /** @default null */
      minScore?: (number | string) | null;
      /** @default false */
      costBySimilarity?: boolean;
    };
    Setting: {
      key: string;
      /** @enum {string} */
      kind: 'bool' | 'int' | 'double' | 'string' | 'enum' | 'array';
      /** @enum {string} */
      tier: 'live' | 'restart' | 'notWritable';
      /** @enum {string} */
      applyMode: 'live' | 'liveForNewWork' | 'restart' | 'never';
      value?: string;
      /** @constant */
      valueWithheld?: true;
      /** @enum {string} */
      source: 'default' | 'appSettings' | 'userSecrets' | 'environment' | 'commandLine' | 'host' | 'override';
      restartPending: boolean;
      minimum: number | null;
      maximum: number | null;
      allowedValues: string[] | null;
      rule: string | null;
      reason: string | null;
    };
    SettingChange: {
      key: string;
      /** @description In force now, or from the next start on. */
      value: string | null;
      /** @description It is not, letter by letter, the text that was asked for. */
      coerced: boolean;
      cleared: boolean;
      /** @enum {string} */
      applyMode: 'live' | 'liveForNewWork' | 'restart' | 'never';
      restartPending: boolean;
      /** @description Why a value that counts at once waits for a restart. */
      applyFailure?: string;
    };
    SpatialIndexScanSpecification: {
      indexId: string;
      /** @default 0 */
      graphElementId?: number | string;
      /** @default 0 */
      distance?: number | string;
    };
    /** @description Exact, or of a sample of every sampleStride-th element. */
    Statistics: {
      vertexCount: number;
      edgeCount: number;
      vertexLabels: components['schemas']['NameTally'];
      edgeLabels: components['schemas']['NameTally'];
      propertyKeys: components['schemas']['NameTally'];
      inDegree: components['schemas']['DegreeSpread'];
      outDegree: components['schemas']['DegreeSpread'];
      totalDegree: components['schemas']['DegreeSpread'];
      indices: {
        name: string;
        type: string;
        keys: number | null;
        values: number | null;
      }[];
      memory: {
        processWorkingSetBytes: number;
        gcHeapBytes: number;
        gcLastHeapSizeBytes: number;
        gcFragmentedBytes: number;
      };
      computedInMs: number;
      sampled: boolean;
      sampleStride: number;
      embedding: components['schemas']['EmbeddingStatus'];
      ingestion: components['schemas']['IngestionStatus'];
      nlp: components['schemas']['NlpStatus'];
      namespaceMemory: components['schemas']['MemoryUse'];
    };
    /** @description Counts and lists are null while the namespace is not loaded. */
    Status: {
      /** @description Bytes that the process holds, whatever the namespace. */
      usedMemory: number;
      /** @enum {string} */
      namespaceState: 'ready' | 'notLoaded';
      vertexCount: number | null;
      edgeCount: number | null;
      indices: components['schemas']['IndexStatus'][] | null;
      availableIndexPlugins: string[] | null;
      availablePathPlugins: string[] | null;
      availableSubGraphPlugins: string[] | null;
      availableAnalyticsPlugins: string[] | null;
      availableServicePlugins: string[] | null;
      apiKeyRequired: boolean;
      authenticated: boolean;
      embedding: components['schemas']['EmbeddingStatus'];
      chat: components['schemas']['ChatStatus'];
      ingestion: components['schemas']['IngestionStatus'];
      nlp: components['schemas']['NlpStatus'];
      durability: components['schemas']['DurabilityStatus'] | null;
      namespaceMemory: components['schemas']['MemoryUse'] | null;
    };
    StoredQuery: {
      name: string;
      /** @enum {string} */
      kind: 'Path' | 'SubGraph';
      description: string | null;
      createdAt: string;
      /** @enum {string} */
      compileState: 'Compiled' | 'Failed' | 'SourceOnly';
    };
    StoredQueryDetail: {
      name: string;
      /** @enum {string} */
      kind: 'Path' | 'SubGraph';
      description: string | null;
      createdAt: string;
      /** @enum {string} */
      compileState: 'Compiled' | 'Failed' | 'SourceOnly';
      specificationJson: string;
      compileDiagnostics: string | null;
    };
    StoredQuerySpecification: {
      name: string;
      /** @description Path or SubGraph. */
      kind: string;
      /** @default null */
      description?: string | null;
      /** @default null */
      path?: components['schemas']['PathTemplate'] | null;
      /** @default null */
      subGraph?: components['schemas']['SubGraphTemplate'] | null;
    };
    SubGraph: {
      name: string;
      vertexCount: number;
      edgeCount: number;
      algorithmPluginName: string;
      sourceGraphId: string;
      canRecalculate: boolean;
      additionalInformation: {
        [key: string]: string;
      } | null;
      semantic?: components['schemas']['SubGraphSemantic'];
    };
    SubGraphSemantic: {
      embeddingName: string | null;
      metric: string | null;
      dimension: number;
      queryText: string | null;
      minScore: number | null;
      patternThresholds:
        | {
            pattern: string;
            minScore: number;
          }[]
        | null;
      embeddingBackend?: string;
      embeddingIdentity?: string | null;
    };
    SubGraphSpecification: {
      name: string;
      /** @default null */
      algorithm?: string | null;
      /** @description A C# fragment. */
      vertexFilter?: string | null;
      /** @description A C# fragment. */
      edgeFilter?: string | null;
      patterns?: components['schemas']['PatternStep'][] | null;
      /** @default null */
      storedQuery?: string | null;
      /** @default null */
      semantic?: components['schemas']['SemanticSpecification'] | null;
      /** @default null */
      additionalInformation?: {
        [key: string]: string;
      } | null;
    };
    SubGraphTemplate: {
      /** @description A C# fragment. */
      vertexFilter?: string | null;
      /** @description A C# fragment. */
      edgeFilter?: string | null;
      patterns?: components['schemas']['PatternStep'][] | null;
    };
    TextSearchSpecification: {
      indexId: string;
      text: string;
      k: number | string;
      /** @default null */
      kind?: string | null;
      /** @default null */
      label?: string | null;
    };
    /** @description A vector for each text, in their order. */
    TextVectors: {
      /** @description Stamp of the provider: name[@version]#dimension#metric. */
      model: string;
      dimension: number;
      vectors: number[][];
    };
    Texts: {
      texts: string[];
    };
    TopologyAround: {
      vertex: number | string;
      /**
       * @default out
       * @enum {string}
       */
      direction?: 'out' | 'in';
      edgePropertyId: string;
      /**
       * @description An edge of the group; those behind it are answered.
       * @default -1
       */
      after?: number | string;
      /** @default 25 */
      limit?: number | string;
    };
    TopologySpecification: {
      /**
       * @description Every edge from one of these to another one of them.
       * @default []
       */
      vertices?: (number | string)[];
      /**
       * @description These edges, whatever their ends.
       * @default []
       */
      edges?: (number | string)[];
      /** @description The next edges of one type of one vertex, in the order of their ids. */
      around?: components['schemas']['TopologyAround'];
    };
    /** @description A typed value, such as a key of an index. */
    TypedValue: {
      /**
       * @description The value as text, by invariant culture.
       * @default 1000
       */
      propertyValue?: string;
      /**
       * @description One of the 18 types, such as System.String.
       * @default System.Int32
       */
      fullQualifiedTypeName?: string;
    };
    /** @description Exactly one of vector and propertyId. */
    VectorAddSpecification: {
      /** @default 0 */
      graphElementId?: number | string;
      /** @default null */
      vector?: (number | string)[] | null;
      /** @default null */
      propertyId?: string | null;
    };
    /** @description The nearest elements, best first. */
    VectorScanResult: {
      /** @enum {string} */
      metric: 'Cosine' | 'DotProduct' | 'L2';
      higherIsBetter: boolean;
      results: {
        /** @description Names one element of the namespace, vertex or edge. */
        graphElementId: number;
        score: number;
      }[];
    };
    VectorScanSpecification: {
      indexId: string;
      /** @default null */
      query?: (number | string)[] | null;
      /** @default 0 */
      k?: number | string;
      /** @default null */
      kind?: string | null;
      /** @default null */
      label?: string | null;
    };
    /** @description A vertex with its properties and the ids of its edges. */
    Vertex: {
      /** @description Names one element of the namespace, vertex or edge. */
      id: number;
      /** @description ISO 8601, UTC. */
      creationDate: string;
      /** @description ISO 8601, UTC. */
      modificationDate: string;
      label: string | null;
      properties: components['schemas']['Property'][];
      /** @description Ids of edges by edge type; null when there are none in this direction. */
      outEdges: {
        [key: string]: number[];
      } | null;
      /** @description Ids of edges by edge type; null when there are none in this direction. */
      inEdges: {
        [key: string]: number[];
      } | null;
    };
    /** @description A vertex to be created. */
    VertexSpecification: {
      /**
       * @description Seconds since 1970, UTC.
       * @default 0
       */
      creationDate?: number | string;
      /** @default null */
      label?: string | null;
      /** @default null */
      properties?: components['schemas']['PropertySpecification'][] | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
