#include <cstdio>

// What is multiplied.
__constant__ float factor = 2.0f;

template <typename T>
__device__ T scaled(T value) {
    return value * static_cast<T>(factor);
}

__global__ void scale(const float *in, float *out, int n) {
    __shared__ float cache[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cache[threadIdx.x] = in[i];
        __syncthreads();
        out[i] = scaled<float>(cache[threadIdx.x]);
    }
}

int main() {
    const int n = 1 << 10;
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    scale<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
