cbuffer Camera {
    float4x4 view;
    float3 eye;
};

Texture2D picture : register(t0);
SamplerState smooth : register(s0);

struct Input {
    float4 position : SV_POSITION;
    float2 uv : TEXCOORD0;
};

// Darker the farther it is.
float fade(float3 at) {
    float far = length(at - eye);
    return saturate(1.0f - far / 100.0f);
}

float4 main(Input input) : SV_TARGET {
    float4 color = picture.Sample(smooth, input.uv);
    for (int i = 0; i < 2; i++) {
        color.rgb *= fade(input.position.xyz);
    }
    if (color.a < 0.5f) {
        return float4(0, 0, 0, 1);
    }
    return color;
}
